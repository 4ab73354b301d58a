// Bugs that tests and lives of the adversary must find, by name: npm run mutation.
//
// A bug is a function of src, an operator of tools/mutate.ts, and which of the operator's places in the function. If the function's name
// occurs in several modules, the module stands before it. A function that is rewritten needs its rows anew: `npm run mutation` names them.

import type { Operator } from "../tools/mutate.js";
import type { Step } from "./adversary/life.js";

/** `Ledger.#drop remove 1`: what `npm run mutation -- FOLDER` prints. */
export type Place = `${string} ${Operator} ${number}`;

/** What is wrong, where, and the name of the test that finds it. */
type TestMutation = readonly [bug: string, place: Place, test: string];
/** What is wrong, where, and the number of a life that finds it, and does not find it without the action. */
type LifeMutation = readonly [bug: string, place: Place, life: number];

/** By the file of the test. */
export const TEST_MUTATIONS: Readonly<Record<string, readonly TestMutation[]>> = {
  "test/readers/containers/container-consumer.test.ts": [
    [
      "pods that were finished before are reported when they change",
      "ContainerConsumer.#firstFacts true 5",
      "emits nothing for a pod that was finished before",
    ],
    [
      "a pod that comes again has its runs reported again",
      "RunBook.#accept right 2",
      "reports no run twice if a pod returns with its UID",
    ],
    [
      "a pod that the first list lacked has missed runs",
      "isOlderThan false 1",
      "reports no missed runs from before the stream, even if the first list lacked the pod",
    ],
    [
      "a finished pod's containers run on, where it is watched",
      "RunBook.#accept true 7",
      "ends the containers of a finished pod with includeFinished",
    ],
    [
      "a reader that joins while a status is empty receives nothing",
      "initialRuns remove 4",
      "receives the running containers, even while the status of the pod is empty",
    ],
    [
      "a reader that joins receives a start whose end is known",
      "endedIn left 2",
      "receives no start of an ended run that the status still shows as running",
    ],
    [
      "a reader that joins receives the restart count that the next run implies",
      "endedIn drop 4",
      "receives the known restart count of a run, not one derived from the next run",
    ],
    [
      "one list that shows an ended pod running starts its runs",
      "RunBook.#accept true 1",
      "reports each run once for a pod that ends and runs again",
    ],
  ],
  "test/known/run-fold.test.ts": [
    [
      "a run that had ended before its pod was stopped is said to be ended by that",
      "RunFold.fold right 7",
      "an end keeps the stop reason known at its first status, even if reported later",
    ],
    [
      "a container that is created is taken for one that has started",
      "RunFold.#present true 5",
      "does not start until a status shows it running or terminated",
    ],
    [
      "an end that only lastState reports is not reported",
      "RunFold.#before true 1",
      "is reported with start and end if only lastState shows it",
    ],
    [
      "a run is reported again whenever its end is shown",
      "RunFold.#end remove 4",
      "starts and ends once, even if several statuses show it",
    ],
    [
      "the end in lastState of the run that ran is not taken for its end",
      "ENDS false 5",
      "ends by lastState before the next run starts",
    ],
    ["an inferred end is given as an exit with 137", "ENDS true 4", "ends the current run and reports no exit"],
    ["an inferred end ends nothing", "ENDS false 6", "ends the current run and reports no exit"],
    [
      "an inferred end that stays as lastState is said of the next run too",
      "ENDS true 6",
      "is not the exit of the next run while it stays in lastState",
    ],
    [
      "an inferred end is counted as a restart that was missed",
      "RunFold.fold remove 26",
      "makes no run missed if the next run has this count or one higher",
    ],
    [
      "each inferred end hides a run, also where nothing was counted",
      "RunFold.fold true 31",
      "hides no missed run if an inferred end left the count unchanged",
    ],
    [
      "an inferred end that is shown for long is counted again and again",
      "RunFold.#sightOf true 11",
      "is not the exit of the next run while it stays in lastState",
    ],
    [
      "of inferred ends in a row one is counted",
      "RunFold.#sightOf left 10",
      "makes no run missed if it increases twice",
    ],
    [
      "a run that another took the place of never ends",
      "RunFold.#sightOf false 16",
      "is reported with start and end if only lastState shows it",
    ],
    ["a run without a container never ends", "ENDS false 9", "starts no run of an evicted pod"],
    ["a container of which nothing is said has ended", "ENDS true 10", "does not end the run with the same ID"],
    [
      "runs of a runtime that was wiped, before the first one that is shown, are no pod's loss",
      "RunFold.fold undefined 8",
      "are reported from count 0 if the count decreases because the runtime was wiped",
    ],
    [
      "a count of before makes runs missed, though no list lacked the pod",
      "RunFold.#isRecount right 2",
      "a count that decreases below a reported run adds no run",
    ],
    [
      "runs before one with a count of before are no pod's loss, though a list lacked the pod",
      "RunFold.fold left 17",
      "are reported from count 0 if a list lacked the pod and its counts restarted",
    ],
    [
      "what was before the first status is missed",
      "RunFold.#start right 1",
      "has the ID of the ended run while in CrashLoopBackOff",
    ],
    [
      "a status that is older than what was reported ends what runs",
      "RunFold.fold remove 13",
      "ends no run and makes no run missed",
    ],
    ["what looks old is never believed", "RunFold.fold right 8", "is accepted once two lists agree"],
    [
      "an end that an event does not tell is reported at once",
      "RunFold.fold false 22",
      "is reported when a later list or event confirms it",
    ],
    [
      "an exit that was made up is one",
      "RunFold.#end false 6",
      "an exit that the runtime invented is in `reported` and not in `exit`",
    ],
    [
      "a container that was shown created and never ran is missed",
      "RunFold.fold remove 23",
      "a container that was created but never ran is not reported as missed",
    ],
    [
      "a run that ran and was lost between two statuses is no pod's loss",
      "RunFold.fold true 28",
      "a run that started and was lost between two statuses is reported as missed",
    ],
    [
      "runs that were not shown are missed in silence",
      "RunFold.#start remove 1",
      "does not hide runs that are missed after it",
    ],
    [
      "the run that waits for its next start has the count of the one before",
      "RunFold.#before right 4",
      "has the ID of the ended run while in CrashLoopBackOff",
    ],
    [
      "a container that could not be started began in 1970",
      "pod/container-run.ts timeOf left 2",
      "a container that failed to start has a run with an end and no start time",
    ],
    [
      "the pod goes, and its containers run on",
      "RunFold.gone remove 2",
      "ends by lastState before the next run starts",
    ],
    [
      "a run that is shown for long is forgotten",
      "RunFold.fold remove 37",
      "an ended run is reported once, even if forty later statuses show it",
    ],
    [
      "a count that falls under a run that was reported invents one",
      "RunFold.fold right 18",
      "a count that decreases below a reported run adds no run",
    ],
    [
      "a run that is shown late is reported within the next",
      "RunFold.#before remove 3",
      "an earlier run that lastState shows late is not reported",
    ],
  ],
  "test/readers/containers/container-watch.test.ts": [
    [
      "a pod that leaves the selection is followed on",
      "ContainerConsumer.#changed false 16",
      "emits no end for a pod that leaves it, and new events after its return",
    ],
    [
      "a pod that came and ended in an outage is not reported",
      "ContainerConsumer.#firstFacts false 1",
      "hides no run that the kubelet still shows",
    ],
    [
      "a pod that returns to the selection is reported without what runs",
      "ContainerConsumer.#firstFacts false 9",
      "emits no end for a pod that leaves it, and new events after its return",
    ],
    [
      "what was there before is not initial",
      "ContainerConsumer.begin false 2",
      "begins with the informer's pods when it joins late",
    ],
  ],
  "test/readers/containers/run-queue.test.ts": [
    [
      "what a status never showed ran with those that were missed",
      "fold left 2",
      "joins adjacent ranges of missed runs and no others",
    ],
    [
      "a slow reader is not reported the end that it is owed",
      "changesOf remove 1",
      "changes are delivered in order, and only once",
    ],
    [
      "what is folded has no last count",
      "fold drop 3",
      "turns the oldest runs beyond the limit into missed ones, but keeps the started run's end",
    ],
    [
      "no end of a run waits for a slow reader",
      "MAX_RUNS number 1",
      "turns the oldest runs beyond the limit into missed ones, but keeps the started run's end",
    ],
    [
      "a container of which all is reported keeps the others waiting",
      "RunQueue.next remove 11",
      "changes that arrive during the delivery of a container wait behind the others",
    ],
    [
      "pods that came and went wait without bound",
      "dropOldest true 1",
      "keeps the last 1000 undelivered containers of deleted pods and all ends of started runs",
    ],
    [
      "a start is reported of a container that is watched no longer",
      "RunQueue.forget remove 7",
      "delivers no start of a forgotten container, only the end of its started run",
    ],
    [
      "what a reader knows is dropped for pods that it does not",
      "RunQueue.gone false 3",
      "drops no container that the reader knows in favour of unknown ones",
    ],
  ],
  "test/faults/processes-of-lists.test.ts": [
    [
      "a stream is asked for with nothing that it needs",
      "PodsApi.open empty 1",
      "opens a stream only over the connection that CONNECTED named",
    ],
  ],
  "test/lookup/address.test.ts": [
    [
      "a leading zero is passed over",
      "octetsOf remove 3",
      "normalizes all spellings of an address and rejects other text",
    ],
  ],
  "test/lookup/confidence.test.ts": [
    [
      "an address is its pod's between its init containers",
      "isIdle false 5",
      "an address is uncertain after the init container of its pod has ended",
    ],
    [
      "a time of day just after the clock was set back is that of the time before",
      "Anchors.timeOf left 32",
      "after a backward step, times that occurred twice are uncertain",
    ],
    [
      "an address is its pod's while nothing of it runs",
      "isIdle false 1",
      "an address is uncertain while no container of its pod runs, but the name is not",
    ],
    [
      "a list proves an address over a time at which all containers were made anew",
      "PodIndex.#put remove 18",
      "a list confirms no address across a restart of all containers",
    ],
    [
      "an address of a pod of which nothing runs is in doubt also where it is new",
      "mayHaveLost true 6",
      "the first event with an address makes it likely even if no container runs",
    ],
    [
      "that nothing of a pod runs is so since a list says it",
      "PodIndex.#noteIdle right 2",
      "a pod that a list shows without running containers may be idle since the previous list",
    ],
    [
      "a pod has the address that it had before its status was empty",
      "rankOf right 1",
      "an address belongs to the pod that shows it, not to one with an empty status",
    ],
    [
      "an end that a list reports is as late as one that an event reports",
      "PodIndex.#untilMs right 4",
      "an address that a list shows first may date from any time since the previous list",
    ],
    [
      "a list proves what was reported less than five seconds before it",
      "Evidence.proofOf left 2",
      "an end that a list reveals may date from any time since the previous list",
    ],
    [
      "what a kubelet lists that has just started is how things are",
      "Evidence.#list false 1",
      "answers are at most likely for fifteen seconds after a kubelet start",
    ],
    ["lists alone tell all in time", "Evidence.#list right 4", "answers from lists without events are at most likely"],
    [
      "no reader has a key that a pod may have which is not read",
      "Evidence.#list right 6",
      "an absence is uncertain before the start, in outages, and while pods are unconfirmed or unreadable",
    ],
    [
      "a pod that is read late has its address since ten seconds",
      "Evidence.unseenSinceMs right 1",
      "a pod that the kubelet reads late is an uncertain owner for earlier times",
    ],
    [
      "an event reports that a name is free",
      "isAfterReport right 2",
      "a name passes to the next pod of that name, and a list confirms its owner",
    ],
    [
      "a name is reported until the last event, not until the last list",
      "isAfterReport left 4",
      "an event after the list does not show that a name still exists",
    ],
    [
      "a status that names no container confirms an address",
      "PodIndex.#put remove 26",
      "an address is uncertain while the status of its pod is empty",
    ],
    [
      "a time of day is read by today's difference",
      "Anchors.timeOf false 24",
      "after a forward step, times that never occurred are uncertain",
    ],
    [
      "a step back leaves no doubt",
      "Anchors.timeOf true 30",
      "after a backward step, times that occurred twice are uncertain",
    ],
    [
      "an outage that is over is certain",
      "THEN right 4",
      "answers are at most likely for fifteen seconds after a kubelet start",
    ],
    [
      "a pod whose status names no container has its address now",
      "lacksStatus false 1",
      "an address is uncertain while the status of its pod is empty",
    ],
  ],
  "test/client/start.test.ts": [
    [
      "the first list of a kubelet proves what it lacks",
      "PodInformer.#relisted true 5",
      "confirms after two lists with API pods, two seconds apart",
    ],
    [
      "a wait without a limit ends although the informer is synced",
      "PodInformer.#patienceMs remove 1",
      "waitFor() limits only the time that the informer is not synced",
    ],
  ],
  "test/pod/end.test.ts": [
    [
      "who is rejected while it runs has ended well",
      "STOPS drop 3",
      "the reason of a container's end follows the table",
    ],
    [
      "a stop is forgotten with the version that shows it",
      "stopIn undefined 1",
      "is kept when the last status omits it",
    ],
    ["a pod that runs on is stopped", "stopIn false 1", "is kept when the last status omits it"],
    [
      "a stop ends containers that had ended before",
      "runEndOf true 7",
      "does not apply to containers that ended before",
    ],
    [
      "a stop ends containers that were replaced before",
      "runEndOf true 6",
      "does not apply to containers that ended before",
    ],
    [
      "a lost child is an OOM kill of the container",
      "isOOMKill left 1",
      "the reason of a container's end follows the table",
    ],
  ],
  "test/lookup/pod-index.test.ts": [
    [
      "an older status ends the container that runs",
      "PodIndex.#put false 17",
      "a late older status ends no container and no address unless a list has it",
    ],
    [
      "the next pod had an address long before it was reported",
      "likeliest true 13",
      "belongs to the pod that was reported with it at that time",
    ],
    [
      "a pod that is reported after an outage had its address in it",
      "likeliest true 14",
      "belongs to the deleted pod during an outage if the next list shows no other owner",
    ],
    [
      "the next owner is named ten seconds before a stream was lost",
      "likeliest left 10",
      "belongs to the deleted pod until a second before the stream was lost",
    ],
    [
      "a pod had an address before the kubelet saw it",
      "PodIndex.#beginningOf true 6",
      "does not belong to the next pod before the kubelet has seen it",
    ],
    [
      "a kubelet that starts had not seen its pods before",
      "PodIndex.#beginningOf true 4",
      "may belong to a pod before the kubelet started",
    ],
    [
      "a pod began when another clock says, also after it was reported",
      "PodIndex.#beginningOf true 5",
      "ignores a creation time in the future, and uses the first-seen time of a static pod",
    ],
    [
      "what is known is reported up to now",
      "SETTLED_MS number 1",
      "an address passes to a new owner after the end of the old owner",
    ],
    [
      "a pod may have had an address before it began",
      "PodIndex.#timed right 4",
      "a pod is the likely owner between its creation and its first report",
    ],
    [
      "an address is a pod's since its creation, whatever was reported meanwhile",
      "PodIndex.#timed left 5",
      "a pod with a new address has lost its former one, possibly before the report",
    ],
    [
      "a finished pod keeps its address",
      "PodIndex.#put true 25",
      "an address passes to a new owner after the end of the old owner",
    ],
    [
      "a pod that is deleted and looks as if it ran keeps its address",
      "PodIndex.#put right 17",
      "a deleted pod loses its address even if its status shows it running",
    ],
    ["an outage is certain", "Evidence.reportedUntilMs left 2", "an end during an outage may lie anywhere in it"],
    [
      "an unconfirmed pod is certain",
      "PodIndex.listed remove 5",
      "an unconfirmed pod is an uncertain owner from the list that lacks it",
    ],
    [
      "the late end of an old holder takes the new one's address away",
      "PodIndex.#release right 2",
      "an address passes to a new owner before the end of the old owner is reported",
    ],
    [
      "two that may have had it: the last of them, for sure",
      "hadAt true 23",
      "an address with two owners is uncertain until one of them ends",
    ],
    [
      "what is retained hides who is there",
      "latest negate 2",
      "an address passes to a new owner after the end of the old owner",
    ],
    [
      "a living pod counts as one that is retained",
      "latest false 2",
      "an active owner hides retained pods, even if it is not selected",
    ],
    [
      "each informer sees what any of them retains",
      "PodFinder.#isRetained right 1",
      "a finished pod that stays listed loses its address",
    ],
    [
      "each informer sees as many as any of them retains",
      "PodFinder.#isRetained true 4",
      "each informer sees retained pods within its own limits",
    ],
    [
      "byIP finds a former address",
      "PodFinder.present left 3",
      "a deleted pod loses its address even if its status shows it running",
    ],
    [
      "a container that its pod names no longer is forgotten at once",
      "PodIndex.#release negate 9",
      "finds current, previous and retained containers, also of a deleted pod",
    ],
    [
      "IPv4 within IPv6 is no address",
      "addressOf undefined 2",
      "ignores host-network addresses and rejects invalid keys",
    ],
    [
      "a pod on the host's network has the node's address",
      "readKeys true 1",
      "ignores host-network addresses and rejects invalid keys",
    ],
    [
      "a time in which a pod was unconfirmed is certain when it is over",
      "confirm remove 6",
      "an unconfirmed pod is an uncertain owner from the list that lacks it",
    ],
    ["a pod that cannot be read is certain", "THEN false 11", "an unreadable pod is an uncertain owner"],
    [
      "of two that have an address the later one is certain",
      "NOW right 4",
      "an address passes to a new owner before the end of the old owner is reported",
    ],
    [
      "a deleted pod hides a living one of its name",
      "latest false 3",
      "a deleted pod that is still listed does not hide an active pod of its name",
    ],
    [
      "the container of a former static pod is the present one's",
      "exactly right 3",
      "a container of a former static pod resolves to that pod after its UID returns",
    ],
  ],
  "test/lookup/waiting.test.ts": [
    [
      "a pod that is confirmed as it was wakes nobody",
      "Lookups.#listed remove 3",
      "a wait for a name resolves when an unconfirmed pod is confirmed unchanged",
    ],
    [
      "a time in another unit finds no reader, or the next holder",
      "readAt left 14",
      "accepts each form of `at`, and names the unit of a time in a wrong one",
    ],
    [
      "who waits for an address gets the predecessor",
      "PodFinder.awaited right 4",
      "waitFor() skips the previous owner of an address unless `at` lies in its time",
    ],
    [
      "a stale view answers who waits for an address",
      "PodFinder.awaited remove 1",
      "waitFor() waits for SYNCED, but resolves known UIDs and container IDs while stale",
    ],
    [
      "no reader is woken",
      "Lookups.#changed remove 11",
      "waitFor() resolves when the kubelet reports the key, or at once if it is known",
    ],
    [
      "who is aborted goes on waiting",
      "KeyWait.#leave remove 1",
      "waitFor() resolves when the kubelet reports the key, or at once if it is known",
    ],
    [
      "what is retained lapses never",
      "Lookups.#evict remove 10",
      "retained pods expire by one timer, and closing the last informer drops the index",
    ],
    [
      "a planned resync makes all uncertain for ever",
      "Lookups.accept remove 6",
      "an answer for a past time keeps its confidence over planned resyncs",
    ],
    [
      "an informer that joins in an outage takes what is known for what is reported",
      "Lookups.join true 2",
      "an informer that starts late or in an outage is uncertain about earlier times",
    ],
    [
      "who waits for an end is woken for present keys only",
      "keysOfEntry remove 6",
      "a wait for an end resolves even if the pod no longer has the key",
    ],
  ],
  "test/timing/deadline.test.ts": [
    [
      "a deadline counts before what came while the event loop stood still is read",
      "afterReads now 1",
      "data that arrives while the event loop is blocked is read before the deadline",
    ],
  ],
  "test/lookup/candidates.test.ts": [
    [
      "a pod that cannot be read has a key as much as one that can",
      "rankOf left 1",
      "prefers a readable pod, even if it is unconfirmed and older",
    ],
  ],
  "test/known/completeness.test.ts": [
    [
      "what the next process lists without statuses has had its time before",
      "judgeEmpty left 1",
      "the grace period starts again when another process lists the empty status",
    ],
    [
      "what one process has listed all of, the next one has",
      "Completeness.judge remove 2",
      "a new process needs two lists again, and a list without API pods proves no absences",
    ],
    [
      "a process that has not read its pods ends those of the one before",
      "AbsenceJudge.judge right 3",
      "keeps a missing pod until the kubelet has read all pods and the grace period is over",
    ],
    [
      "a pod that was rejected before anybody saw it run has ended",
      "showsEnd left 2",
      "a pod that never had containers finishes at once, but its absence is confirmed later",
    ],
    [
      "a static pod that ran to its end is never put back",
      "showsActive left 4",
      "a finished static pod is active again if another process lists it as Pending",
    ],
    [
      "a pending pod that is rejected has never run",
      "judgeEmpty true 13",
      "a Pending pod that fails stays active for its grace period, because it may have started",
    ],
    [
      "a list has everything, because there is one",
      "Completeness.judge true 13",
      "a second list with API pods, two seconds later, proves absences",
    ],
    [
      "pods that a kubelet has just read are all of its static ones",
      "seemsRead true 6",
      "accepts the first list of static pods if no stamp is less than ten seconds old",
    ],
    [
      "lists of pods without stamps prove nothing",
      "Completeness.judge false 1",
      "two lists of pods without stamps prove absences even if the process is unknown",
    ],
    [
      "a list that is taken by contract costs a second one",
      "Ledger.#proofWantedInMs true 1",
      "requests no second list after a list that was accepted by contract",
    ],
    [
      "a kubelet without API pods proves an absence",
      "Completeness.judge true 22",
      "a new process needs two lists again, and a list without API pods proves no absences",
    ],
    [
      "a pod that could not be read is gone where another process has not read it yet",
      "UnreadablePods.commit true 3",
      "keeps an unreadable pod, with or without UID, until the next process has read all pods",
    ],
    [
      "a status without containers ends a pod",
      "judgeEmpty false 15",
      "a pod that had containers stays active for its grace period and ten seconds",
    ],
  ],
  "test/readers/consumer.test.ts": [
    [
      "initial is reported by the newest SYNCED alone",
      "Consumer.#controlOf false 2",
      "a pod replaced under its UID is emitted as DELETED and ADDED before SYNCED",
    ],
    [
      "equality is not checked",
      "Consumer.#eventOf false 3",
      "emits no MODIFIED for fields outside the mask or for a reverted change",
    ],
    [
      "a consumer is reported a pod of which less is known than it wants",
      "Scope.has remove 3",
      "a pod with too few known fields is emitted once enough are known",
    ],
  ],
  "test/stream/core.test.ts": [
    ["the sync marker is ignored", "WatchCore.#take false 4", "is the shortest one that a listener wants"],
    [
      "an end in the overlap of two streams is lost",
      "Overlap.takeEnds empty 1",
      "provides the last status and the cause of an end that the list lacks",
    ],
    [
      "a pod that is read while two streams overlap is gone",
      "Ledger.hasReported true 1",
      "leaves new pods to the new stream",
    ],
  ],
  "test/readers/damage.test.ts": [
    [
      "a pod that leaves the selection is never reported as gone",
      "Consumer.#changed remove 7",
      "an unreadable pod neither leaves nor enters a selection",
    ],
    [
      "a pod that was reported is reported on, whether it is asked for or not",
      "Consumer.#changed true 7",
      "an unreadable pod neither leaves nor enters a selection",
    ],
  ],
  "test/known/ledger.test.ts": [
    [
      "a pod that could not be read is gone with the first list that lacks it",
      "UnreadablePods.commit true 10",
      "forgets an unknown unreadable pod forty seconds after the first list without it",
    ],
    [
      "a static pod that is put back is the one that went",
      "isAnother false 1",
      "a static pod with a new stamp of the same process is a new pod",
    ],
    [
      "what comes behind DELETED is the last status of a pod",
      "takeVersion right 5",
      "ignores unknown and repeated DELETED events; a Failed pod that runs stays active [#57 #86 #91]",
    ],
    [
      "DELETED without a UID asks for no list",
      "Ledger.#deleted drop 2",
      "DELETED with only a name deletes no pod and is a possible gap",
    ],
    [
      "a static pod that has ended leaves the lists",
      "Ledger.#deleted left 3",
      "a finished static pod stays listed without further additions or deletions",
    ],
    [
      "a deleted pod never runs again",
      "listed left 6",
      "a deleted pod is active again after two lists of one process show it running",
    ],
    [
      "the body of a whole pod is not looked at",
      "PodScanner.#walk remove 33",
      "a pod with a broken spec is unreadable, and is a possible gap once",
    ],
    [
      "what is kept of a pod is written over by the next one",
      "pod/slab.ts take remove 1",
      "a finished static pod stays listed without further additions or deletions",
    ],
    [
      "a stream goes on with what the one before had staged",
      "Ledger.begin remove 1",
      "a tombstone expires with the third list without the pod, or with another kubelet [#56]",
    ],
    [
      "what a new list lacks is kept for ever",
      "Ledger.commit remove 9",
      "a tombstone expires with the third list without the pod, or with another kubelet [#56]",
    ],
    [
      "an empty list after a restart is believed",
      "Ledger.commit true 6",
      "an entry without UID and name prevents deletions and gets no key [#43 #44]",
    ],
    [
      "DELETED is taken for an update",
      "Ledger.apply remove 1",
      "ignores unknown and repeated DELETED events; a Failed pod that runs stays active [#57 #86 #91]",
    ],
    [
      "deleted pods come back by stale events",
      "takeVersion remove 4",
      "ignores unknown and repeated DELETED events; a Failed pod that runs stays active [#57 #86 #91]",
    ],
    [
      "phase alone says that a pod is finished",
      "hasEnded left 1",
      "a Failed pod with running containers is active, in a list and in an event [#86]",
    ],
  ],
  "test/stream/machine.test.ts": [
    [
      "complete is bound to nothing",
      "WatchMachine.#connected left 1",
      "is limited to the connection on which the kubelet was initializing",
    ],
    [
      "nothing limits how often a stream is asked for",
      "TokenBucket.waitMs left 1",
      "limits streams that end as soon as they are opened",
    ],
    [
      "no resync repairs what was dropped",
      "WatchMachine.#table drop 22",
      "limits streams to a socket that is replaced every 60 ms",
    ],
  ],
  "test/readers/queue.test.ts": [
    [
      "an addition behind a deletion loses its kind",
      "CoalescingQueue.next drop 3",
      "a deletion and its addition both come before later events",
    ],
    [
      "an addition behind a deletion is lost",
      "CoalescingQueue.put drop 4",
      "merges a change or a deletion into a pending DELETED",
    ],
    [
      "a deletion takes a pending MODIFIED with it",
      "CoalescingQueue.delete remove 9",
      "merges a change or a deletion into a pending MODIFIED",
    ],
  ],
  "test/known/unconfirmed.test.ts": [
    [
      "pods that were reported as deleted count as unconfirmed",
      "AbsenceJudge.summary left 1",
      "the unconfirmed count excludes deleted pods for readers without finished pods",
    ],
    [
      "a pod without a stamp says which process a list is of",
      "processOf remove 2",
      "if most pods are missing, none is deleted for a minute",
    ],
    [
      "stamps that are all new are no evidence",
      "processOf false 9",
      "is another one if all stamps are new, even over the same connection",
    ],
    [
      "a stamp that is the same is no evidence",
      "processOf remove 4",
      "if most pods are missing, none is deleted for a minute",
    ],
    [
      "an entry without a UID is ignored",
      "Ledger.#stageNameless remove 5",
      "without namespace or name, or cut off, keeps all missing pods unconfirmed",
    ],
    [
      "the agreement of two lists is not begun anew",
      "Guard.judge remove 1",
      "when a source returns, its first list deletes none of its pods",
    ],
    [
      "a source that is missing is believed at once",
      "Guard.judge false 8",
      "while a source is missing, other pods are deleted after two lists five seconds apart",
    ],
    [
      "what runs is reported as gone",
      "AbsenceJudge.judge remove 12",
      "has read a pod that it sends with equal bytes in an event",
    ],
    [
      "what has stopped is reported as gone before the kubelet says so",
      "endingMs right 2",
      "stays for ten seconds if its containers have ended",
    ],
    [
      "what runs is gone with the first list that lacks it",
      "AbsenceJudge.judge true 17",
      "stays for its grace period over an outage and a kubelet restart",
    ],
    [
      "what has not been shown to run is reported as gone at once",
      "mayRun left 1",
      "stays if its status is empty, or if its ended containers will be restarted",
    ],
    [
      "the next process has ended what the one before was to end",
      "AbsenceJudge.judge remove 3",
      "stays for another grace period when a list of a new process lacks it",
    ],
    [
      "an entry without a UID proves nothing, and no reader is reported of it",
      "UnreadablePods.commit logic 5",
      "with a name keeps only the missing pod of that name unconfirmed",
    ],
  ],
  "test/stream/upstream.test.ts": [
    [
      "what is heard of a stream is never published",
      "Upstream.#count remove 3",
      "a diagnostics subscriber sees the state that the message reports",
    ],
    [
      "the old stream is applied until the new one's marker",
      "Upstream.#read remove 11",
      "readers that each request more fields cost a limited number of lists",
    ],
  ],
};

/** For each action of the adversary, a bug that only shows where that action happens. */
export const LIFE_MUTATIONS: Readonly<Record<Step["action"], LifeMutation>> = {
  add: ["a pod that comes is reported by lists alone", "Ledger.#applyVersion empty 1", 3],
  pass: ["what the kubelet listed for a short time is no evidence", "SETTLED_MS number 1", 27],
  exit: ["an end that the next container's status has is not read", "ENDS false 5", 60],
  label: ["what a list says otherwise of a pod that is known is not reported", "Ledger.#commitVersion false 4", 769],
  finish: ["a stop is forgotten with the version that shows it", "stopIn undefined 1", 2],
  delete: [
    "the removal of a finished pod's object is reported by the next planned list",
    "Ledger.#awaitRemoval negate 1",
    40,
  ],
  disrupt: ["who wants to delete a pod has stopped it", "isWritten right 1", 456],
  killForMemory: ["a container that has lost a child was killed for want of memory", "isOOMKill left 1", 17],
  withdraw: ["what has left the lists is reported as gone while it runs", "AbsenceJudge.judge remove 12", 9],
  resandbox: ["an address that a pod has lost is its own for ever", "PodIndex.#shift remove 2", 17],
  failSandbox: ["an address is its pod's while nothing of it runs", "isIdle false 1", 14],
  createInVain: ["a container that never ran counts as one that no reader was shown", "RunFold.fold remove 23", 3],
  inventExits: ["an exit that the runtime has made up is the container's", "RunFold.#end false 6", 2],
  handOver: ["a record before a handover is the next owner's", "likeliest left 7", 76],
  deleteInACrowd: ["the phase alone says that a pod is finished", "hasEnded left 1", 469],
  lose: ["an end without an ID that stays in the status counts as another one", "RunFold.#sightOf true 9", 82],
  restartOlder: ["the first list of a process proves what it lacks", "Completeness.judge true 13", 10],
  restartWithoutApi: ["a source with listed pods counts as missing", "Guard.judge true 1", 19],
  restart: ["a list is doubted although its kubelet has refused calls before", "AbsenceJudge.#guarded remove 1", 4],
  putBack: ["a static pod that was deleted counts as deleted when it is put back", "Ledger.#drop true 1", 173],
  goWhileAway: ["a pod is gone with the first list that lacks it", "AbsenceJudge.judge true 17", 5],
  drop: ["a list ends no pod that it lacks", "Ledger.commit false 6", 904],
  damageListed: ["a pod that cannot be read is gone", "Ledger.stage left 6", 59],
  damage: ["a message that cannot be read is taken for an empty pod", "Ledger.apply remove 3", 5],
  stall: ["a deadline counts before what came meanwhile is read", "afterReads now 1", 425],
  agentRestarts: ["the informer does not note since when it knows the pods", "Evidence.#list undefined 2", 4],
  join: ["a reader that joins late is given nothing", "Consumer.begin remove 2", 460],
  wait: ["a wait for a key is never woken", "Waiters.wake true 1", 278],
  drain: ["a deletion leaves a waiting change as it is", "CoalescingQueue.delete remove 9", 2],
  command: ["a command believes that a pod is gone while one cannot be read", "until false 13", 7],
  call: ["the list of a call is believed although its kubelet is young", "PodsClient.#listed false 6", 10],
  listLate: ["what comes of a pod after a list showed it finished is how it is", "takeVersion left 8", 55],
  switchApi: ["lists of the HTTP server are as fresh as those of the Pods API", "Evidence.#list right 4", 137],
  swap: ["an older status is taken for the newest", "RunFold.fold remove 13", 497],
  cut: ["the time between two streams is no outage", "Evidence.listed remove 4", 23],
  repeat: ["MODIFIED is reported of a pod that has not changed", "Consumer.#eventOf false 3", 337],
  setClock: ["a time of day that came twice is converted as if it were clear", "Anchors.timeOf true 30", 198],
  restartAndReject: ["a list that shows a pod as failed has its end", "showsActive remove 3", 1],
  newType: ["an unknown type of event asks for no list", "WatchCore.#take true 5", 27],
  crashLoop: ["a range of runs that became MISSED has no restart counts", "countsOf empty 3", 37],
  flood: ["readers are not given the error of a stream that is lost", "Upstream.#log remove 8", 2492],
};
