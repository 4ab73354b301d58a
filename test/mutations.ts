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
      "a pod that was finished before emits nothing, whatever its creation time",
    ],
    [
      "a pod that comes again has its runs reported again",
      "RunBook.#accept right 2",
      "a pod that returns with its UID has no run reported twice",
    ],
    [
      "a pod that the first list lacked has missed runs",
      "isOlderThan false 1",
      "runs from before the stream are not missed, even if the first list lacked the pod",
    ],
    [
      "a finished pod's containers run on, where it is watched",
      "RunBook.#accept true 7",
      "the containers of a pod that has finished have ended, where it is watched on",
    ],
    [
      "a reader that joins while a status is empty receives nothing",
      "initialRuns remove 4",
      "receives what runs, also while the status of its pod is empty",
    ],
    [
      "a reader that joins receives a start whose end is known",
      "endedIn left 2",
      "receives no start of a run whose end is known, though the status shows it running",
    ],
    [
      "a reader that joins receives the restart count that the next run implies",
      "endedIn drop 4",
      "receives the known restart count of a run, not the one before that of the next run",
    ],
    [
      "one list that shows an ended pod running starts its runs",
      "RunBook.#accept true 1",
      "of a pod that ends and runs again under one record, the runs since its return are reported, each once",
    ],
  ],
  "test/known/run-fold.test.ts": [
    [
      "a run that had ended before its pod was stopped is said to be ended by that",
      "RunFold.fold right 7",
      "an end has the stop that was known at its first status, even if it is reported later",
    ],
    [
      "a container that is created is taken for one that has started",
      "RunFold.#present true 5",
      "is created and not started: it starts when it runs or has ended",
    ],
    [
      "an end that only lastState reports is not reported",
      "RunFold.#before true 1",
      "that started and ended between two statuses is reported with start and end",
    ],
    [
      "a run is reported again whenever its end is shown",
      "RunFold.#end remove 4",
      "starts and ends once, however often it is shown",
    ],
    [
      "the end in lastState of the run that ran is not taken for its end",
      "ENDS false 5",
      "that ended between two statuses is read from lastState, before the next",
    ],
    ["an inferred end is given as an exit with 137", "ENDS true 4", "ends the life that ran, and is no SIGKILL"],
    ["an inferred end ends nothing", "ENDS false 6", "ends the life that ran, and is no SIGKILL"],
    [
      "an inferred end that stays as lastState is said of the next run too",
      "ENDS true 6",
      "that stays as lastState says nothing of the next life's end",
    ],
    [
      "an inferred end is counted as a restart that was missed",
      "RunFold.fold remove 26",
      "is no life that was missed: the next bears it, or the one after it",
    ],
    [
      "each inferred end hides a run, also where nothing was counted",
      "RunFold.fold true 31",
      "that is not counted takes nothing off",
    ],
    [
      "an inferred end that is shown for long is counted again and again",
      "RunFold.#sightOf true 11",
      "that stays as lastState says nothing of the next life's end",
    ],
    [
      "of inferred ends in a row one is counted",
      "RunFold.#sightOf left 10",
      "is taken off twice where it happened twice",
    ],
    [
      "a run that another took the place of never ends",
      "RunFold.#sightOf false 16",
      "that started and ended between two statuses is reported with start and end",
    ],
    ["a run without a container never ends", "ENDS false 9", "is none of an evicted pod"],
    [
      "a container of which nothing is said has ended",
      "ENDS true 10",
      "of its own that runs no more and of which nothing is said stays as it was",
    ],
    [
      "runs of a runtime that was wiped, before the first one that is shown, are no pod's loss",
      "RunFold.fold undefined 8",
      "are missed from zero on where the count has fallen: the runtime was wiped",
    ],
    [
      "a count of before makes runs missed, though no list lacked the pod",
      "RunFold.#isRecount right 2",
      "a count that decreases below a reported run adds no run",
    ],
    [
      "runs before one with a count of before are no pod's loss, though a list lacked the pod",
      "RunFold.fold left 17",
      "are missed from zero on where a list lacked the pod, and the next life has a count of before: they began again",
    ],
    [
      "what was before the first status is missed",
      "RunFold.#start right 1",
      "is in CrashLoopBackOff with that of the one that died",
    ],
    [
      "a status that is older than what was reported ends what runs",
      "RunFold.fold remove 13",
      "of an ended run, or of one that started earlier, ends and counts nothing",
    ],
    [
      "what looks old is never believed",
      "RunFold.fold right 8",
      "is how it is where two lists agree, however old it looks",
    ],
    [
      "an end that an event does not tell is reported at once",
      "RunFold.fold false 22",
      "waits for a list, or for what comes after it",
    ],
    [
      "an exit that was made up is one",
      "RunFold.#end false 6",
      "an exit that the runtime has made up is no exit, and is given as reported",
    ],
    [
      "a container that was shown created and never ran is missed",
      "RunFold.fold remove 23",
      "a container that was shown created, and never ran, is no life that was missed",
    ],
    [
      "a run that ran and was lost between two statuses is no pod's loss",
      "RunFold.fold true 28",
      "a life that ran and was lost between two statuses is missed",
    ],
    [
      "runs that were not shown are missed in silence",
      "RunFold.#start remove 1",
      "does not hide lives that were missed after it",
    ],
    [
      "the run that waits for its next start has the count of the one before",
      "RunFold.#before right 4",
      "is in CrashLoopBackOff with that of the one that died",
    ],
    [
      "a container that could not be started began in 1970",
      "pod/container-run.ts timeOf left 2",
      "a container that could not be started has a life, with an end and no start time",
    ],
    [
      "the pod goes, and its containers run on",
      "RunFold.gone remove 2",
      "that ended between two statuses is read from lastState, before the next",
    ],
    [
      "a run that is shown for long is forgotten",
      "RunFold.fold remove 37",
      "lives are remembered as long as they are shown, and no more than a few of them",
    ],
    [
      "a count that falls under a run that was reported invents one",
      "RunFold.fold right 18",
      "a count that decreases below a reported run adds no run",
    ],
    [
      "a run that is shown late is reported within the next",
      "RunFold.#before remove 3",
      "an earlier run that is shown late is not reported during the running one",
    ],
  ],
  "test/readers/containers/container-watch.test.ts": [
    [
      "a pod that leaves the selection is followed on",
      "ContainerConsumer.#changed false 16",
      "that a pod leaves ends nothing, and it begins anew on return",
    ],
    [
      "a pod that came and ended in an outage is not reported",
      "ContainerConsumer.#firstFacts false 1",
      "hides no life that the kubelet still shows",
    ],
    [
      "a pod that returns to the selection is reported without what runs",
      "ContainerConsumer.#firstFacts false 9",
      "that a pod leaves ends nothing, and it begins anew on return",
    ],
    [
      "what was there before is not initial",
      "ContainerConsumer.begin false 2",
      "begins with its pods, when it joins later",
    ],
  ],
  "test/readers/containers/run-queue.test.ts": [
    [
      "what a status never showed ran with those that were missed",
      "fold left 2",
      "ranges of missed lives are one where nothing is between them, and only there",
    ],
    [
      "a slow reader is not reported the end that it is owed",
      "changesOf remove 1",
      "changes are delivered in order, and only once",
    ],
    [
      "what is folded has no last count",
      "fold drop 3",
      "runs beyond the limit are missed, the oldest first, and the end of the started run stays",
    ],
    [
      "no end of a run waits for a slow reader",
      "MAX_RUNS number 1",
      "runs beyond the limit are missed, the oldest first, and the end of the started run stays",
    ],
    [
      "a container of which all is reported keeps the others waiting",
      "RunQueue.next remove 11",
      "changes that arrive during the delivery of a container wait behind the others",
    ],
    [
      "pods that came and went wait without bound",
      "dropOldest true 1",
      "of pods that started and ended undelivered, the last thousand containers wait, and all ends of started runs",
    ],
    [
      "a start is reported of a container that is watched no longer",
      "RunQueue.forget remove 7",
      "a forgotten container does not start again, and the end of its started run is delivered",
    ],
    [
      "what a reader knows is dropped for pods that it does not",
      "RunQueue.gone false 3",
      "what a reader knows is not dropped for pods that it does not",
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
      "spellings of one address are one, and what is none is none",
    ],
  ],
  "test/lookup/confidence.test.ts": [
    [
      "an address is its pod's between its init containers",
      "isIdle false 5",
      "an address of a pod whose init container and sandbox have ended is uncertain",
    ],
    [
      "a time of day just after the clock was set back is that of the time before",
      "Anchors.timeOf left 32",
      "set back: times that occurred twice are uncertain",
    ],
    [
      "an address is its pod's while nothing of it runs",
      "isIdle false 1",
      "while no container of a pod runs its sandbox may have ended: its address may be another's, its name is not",
    ],
    [
      "a list proves an address over a time at which all containers were made anew",
      "PodIndex.#put remove 18",
      "a list proves no address over a time at which all containers were made anew: the sandbox may have been, too",
    ],
    [
      "an address of a pod of which nothing runs is in doubt also where it is new",
      "mayHaveLost true 6",
      "a status that is the first to show an address has it of a sandbox that is ready, though nothing runs",
    ],
    [
      "that nothing of a pod runs is so since a list says it",
      "PodIndex.#noteIdle right 2",
      "that no container runs a list may be the first to say: since the list before it may have been so",
    ],
    [
      "a pod has the address that it had before its status was empty",
      "rankOf right 1",
      "an address of such a pod belongs to the pod that shows it, even if that one is uncertain",
    ],
    [
      "an end that a list reports is as late as one that an event reports",
      "PodIndex.#untilMs right 4",
      "what a list is the first to show may have been so since the list before",
    ],
    [
      "a list proves what was reported less than five seconds before it",
      "Evidence.proofOf left 2",
      "an event that was lost: the end that a list learns dates from the list before",
    ],
    [
      "what a kubelet lists that has just started is how things are",
      "Evidence.#list false 1",
      "a kubelet that has started: for fifteen seconds it may list a status from before",
    ],
    ["lists alone tell all in time", "Evidence.#list right 4", "lists alone, as those of the kubelet's HTTP server"],
    [
      "no reader has a key that a pod may have which is not read",
      "Evidence.#list right 6",
      "no pod has it: at first, in an outage, while pods are unread or unreadable, and beyond the retention",
    ],
    [
      "a pod that is read late has its address since ten seconds",
      "Evidence.unseenSinceMs right 1",
      "a pod that a kubelet is late to read may have had its address for long",
    ],
    [
      "an event reports that a name is free",
      "isAfterReport right 2",
      "a name ends with its object: by a list that lacks it, or by the next pod of that name",
    ],
    [
      "a name is reported until the last event, not until the last list",
      "isAfterReport left 4",
      "an event after the list does not show that a name still exists",
    ],
    [
      "a status that names no container confirms an address",
      "PodIndex.#put remove 26",
      "a status that names no container says nothing of an address",
    ],
    [
      "a time of day is read by today's difference",
      "Anchors.timeOf false 24",
      "set forward: each side by its own difference, and times that never occurred are uncertain",
    ],
    ["a step back leaves no doubt", "Anchors.timeOf true 30", "set back: times that occurred twice are uncertain"],
    [
      "an outage that is over is certain",
      "THEN right 4",
      "a kubelet that has started: for fifteen seconds it may list a status from before",
    ],
    [
      "a pod whose status names no container has its address now",
      "lacksStatus false 1",
      "a status that names no container says nothing of an address",
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
      "an older status that comes late takes no container and no address away, until a list says so",
    ],
    [
      "the next pod had an address long before it was reported",
      "likeliest true 13",
      "is of the pod that was reported with it at that time",
    ],
    [
      "a pod that is reported after an outage had its address in it",
      "likeliest true 14",
      "was of the pod before in an outage, if the list after it reported no other",
    ],
    [
      "the next owner is named ten seconds before a stream was lost",
      "likeliest left 10",
      "was of the pod before until a second before the stream was lost, if the next owner came with a slow list",
    ],
    [
      "a pod had an address before the kubelet saw it",
      "PodIndex.#beginningOf true 6",
      "cannot be of a pod that the kubelet had not seen",
    ],
    [
      "a kubelet that starts had not seen its pods before",
      "PodIndex.#beginningOf true 4",
      "may be of a pod that the kubelet has seen since its own start only",
    ],
    [
      "a pod began when another clock says, also after it was reported",
      "PodIndex.#beginningOf true 5",
      "a creation time that lies in our future says nothing: another clock wrote it; a static pod's time is when it was seen",
    ],
    ["what is known is reported up to now", "SETTLED_MS number 1", "an address goes over: the old one's end first"],
    [
      "a pod may have had an address before it began",
      "PodIndex.#timed right 4",
      "`at` before its first report, without another pod",
    ],
    [
      "an address is a pod's since its creation, whatever was reported meanwhile",
      "PodIndex.#timed left 5",
      "a new sandbox: the former address is free, and may have been before the report",
    ],
    ["a finished pod keeps its address", "PodIndex.#put true 25", "an address goes over: the old one's end first"],
    [
      "a pod that is deleted and looks as if it ran keeps its address",
      "PodIndex.#put right 17",
      "a pod that the kubelet has deleted has its address no more, whatever its status says",
    ],
    ["an outage is certain", "Evidence.reportedUntilMs left 2", "across an outage the end lies somewhere in it"],
    [
      "an unconfirmed pod is certain",
      "PodIndex.listed remove 5",
      "an unconfirmed pod is not certain from the list on that lacked it",
    ],
    [
      "the late end of an old holder takes the new one's address away",
      "PodIndex.#release right 2",
      "an address passes on: the new owner is reported before the end of the old one",
    ],
    [
      "two that may have had it: the last of them, for sure",
      "hadAt true 23",
      "of two that have an address neither is certain, and the end of the later one leaves it to the other",
    ],
    ["what is retained hides who is there", "latest negate 2", "an address goes over: the old one's end first"],
    [
      "a living pod counts as one that is retained",
      "latest false 2",
      "the living holder decides, selected or not: what is retained never hides it",
    ],
    [
      "each informer sees what any of them retains",
      "PodFinder.#isRetained right 1",
      "a finished pod that stays listed for days has its address no more",
    ],
    [
      "each informer sees as many as any of them retains",
      "PodFinder.#isRetained true 4",
      "each informer sees its own window of what is retained",
    ],
    [
      "byIP finds a former address",
      "PodFinder.present left 3",
      "a pod that the kubelet has deleted has its address no more, whatever its status says",
    ],
    [
      "a container that its pod names no longer is forgotten at once",
      "PodIndex.#release negate 9",
      "containers: of the present life, the one before, one that the status names no longer, and of a pod that is gone",
    ],
    [
      "IPv4 within IPv6 is no address",
      "addressOf undefined 2",
      "pods on the host's network and keys that mean nothing find nothing",
    ],
    [
      "a pod on the host's network has the node's address",
      "readKeys true 1",
      "pods on the host's network and keys that mean nothing find nothing",
    ],
    [
      "a time in which a pod was unconfirmed is certain when it is over",
      "confirm remove 6",
      "an unconfirmed pod is not certain from the list on that lacked it",
    ],
    [
      "a pod that cannot be read is certain",
      "THEN false 11",
      "a pod that could not be read since may have lost what it had",
    ],
    [
      "of two that have an address the later one is certain",
      "NOW right 4",
      "an address passes on: the new owner is reported before the end of the old one",
    ],
    [
      "a deleted pod hides a living one of its name",
      "latest false 3",
      "a pod that the kubelet has deleted, and lists, hides no living one of its name, however that stands",
    ],
    [
      "the container of a former static pod is the present one's",
      "exactly right 3",
      "a static pod that came again under its UID: the container of the former one is the former one's",
    ],
  ],
  "test/lookup/waiting.test.ts": [
    [
      "a pod that is confirmed as it was wakes nobody",
      "Lookups.#listed remove 3",
      "a wait for a name ends when an unconfirmed pod is confirmed as it was",
    ],
    [
      "a time in another unit finds no reader, or the next holder",
      "readAt left 14",
      "times are taken in each form, and refused in another unit, which is named",
    ],
    [
      "who waits for an address gets the predecessor",
      "PodFinder.awaited right 4",
      "the predecessor on an address is passed over, and is the answer for its own time",
    ],
    [
      "a stale view answers who waits for an address",
      "PodFinder.awaited remove 1",
      "while it connects it waits for SYNCED; while it is stale UIDs and container IDs that are known resolve",
    ],
    [
      "no reader is woken",
      "Lookups.#changed remove 11",
      "it resolves when the kubelet reports the key, and at once if the key is known",
    ],
    [
      "who is aborted goes on waiting",
      "KeyWait.#leave remove 1",
      "it resolves when the kubelet reports the key, and at once if the key is known",
    ],
    [
      "what is retained lapses never",
      "Lookups.#evict remove 10",
      "what is retained lapses by one idle timer, and with the last informer that wants it",
    ],
    [
      "a planned resync makes all uncertain for ever",
      "Lookups.accept remove 6",
      "an answer for a past time keeps its confidence over planned resyncs",
    ],
    [
      "an informer that joins in an outage takes what is known for what is reported",
      "Lookups.join true 2",
      "an informer that comes late, or in an outage, is certain of nothing that was before",
    ],
    [
      "who waits for an end is woken for present keys only",
      "keysOfEntry remove 6",
      "who waits for an end hears of it, also where the pod has the key no more",
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
      "then one whose last message could be read, though it is unconfirmed and older",
    ],
  ],
  "test/known/completeness.test.ts": [
    [
      "what the next process lists without statuses has had its time before",
      "judgeEmpty left 1",
      "of a pod that another process lists so, too: it has its time anew",
    ],
    [
      "what one process has listed all of, the next one has",
      "Completeness.judge remove 2",
      "of a new process anew; a list without API pods proves none, either",
    ],
    [
      "a process that has not read its pods ends those of the one before",
      "AbsenceJudge.judge right 3",
      "what has left the lists runs on until the kubelet has read all that there is",
    ],
    [
      "a pod that was rejected before anybody saw it run has ended",
      "showsEnd left 2",
      "of a pod that never had containers counts at once, except for its absence",
    ],
    [
      "a static pod that ran to its end is never put back",
      "showsActive left 4",
      "of one that has run to its end, and that another process lists as pending: it may have been put back",
    ],
    [
      "a pending pod that is rejected has never run",
      "judgeEmpty true 13",
      "of one that was pending: a process that was killed soon after may have started it",
    ],
    [
      "a list has everything, because there is one",
      "Completeness.judge true 13",
      "otherwise by a second list with API pods, two seconds later",
    ],
    [
      "pods that a kubelet has just read are all of its static ones",
      "seemsRead true 6",
      "but one with static pods only is, where its stamps show that the kubelet has been up for long",
    ],
    [
      "lists of pods without stamps prove nothing",
      "Completeness.judge false 1",
      "also of pods without stamps, which do not show the process",
    ],
    [
      "a list that is taken by contract costs a second one",
      "Ledger.#proofWantedInMs true 1",
      "and otherwise not: a list that is taken by contract costs no second one",
    ],
    [
      "a kubelet without API pods proves an absence",
      "Completeness.judge true 22",
      "of a new process anew; a list without API pods proves none, either",
    ],
    [
      "a pod that could not be read is gone where another process has not read it yet",
      "UnreadablePods.commit true 3",
      "one that another process has not read yet is there still, with a UID and without",
    ],
    [
      "a status without containers ends a pod",
      "judgeEmpty false 15",
      "of a pod that had containers: it keeps its phase and addresses for its grace period and ten seconds",
    ],
  ],
  "test/readers/consumer.test.ts": [
    [
      "initial is reported by the newest SYNCED alone",
      "Consumer.#controlOf false 2",
      "a pod that was deleted and is there again is in the picture at SYNCED",
    ],
    [
      "equality is not checked",
      "Consumer.#eventOf false 3",
      "a change of what is not looked at is no change, and one that was taken back neither",
    ],
    [
      "a consumer is reported a pod of which less is known than it wants",
      "Scope.has remove 3",
      "a pod with too few known fields is emitted once enough are known",
    ],
  ],
  "test/stream/core.test.ts": [
    ["the sync marker is ignored", "WatchCore.#take false 4", "is what the most eager listener wants"],
    [
      "an end in the overlap of two streams is lost",
      "Overlap.takeEnds empty 1",
      "so that an end of a pod that the list lacks has its cause, and its last status",
    ],
    [
      "a pod that is read while two streams overlap is gone",
      "Ledger.hasReported true 1",
      "and a pod that the process reports for the first time is left to the new stream",
    ],
  ],
  "test/readers/damage.test.ts": [
    [
      "a pod that leaves the selection is never reported as gone",
      "Consumer.#changed remove 7",
      "a pod that cannot be read leaves no selection, and enters none",
    ],
    [
      "a pod that was reported is reported on, whether it is asked for or not",
      "Consumer.#changed true 7",
      "a pod that cannot be read leaves no selection, and enters none",
    ],
  ],
  "test/known/ledger.test.ts": [
    [
      "a pod that could not be read is gone with the first list that lacks it",
      "UnreadablePods.commit true 10",
      "one that is unknown is forgotten forty seconds after the first list that lacks it: it may run on",
    ],
    [
      "a static pod that is put back is the one that went",
      "isAnother false 1",
      "a static pod that one process has first seen twice is another pod: its manifest was put back",
    ],
    [
      "what comes behind DELETED is the last status of a pod",
      "takeVersion right 5",
      "DELETED of the unknown is ignored, a repeated one too; Failed while running is no end [#57 #86 #91]",
    ],
    [
      "DELETED without a UID asks for no list",
      "Ledger.#deleted drop 2",
      "DELETED that has a name alone is of no pod, since names come again: a list says what it meant",
    ],
    [
      "a static pod that has ended leaves the lists",
      "Ledger.#deleted left 3",
      "a static pod that has run to its end stays listed: nothing comes and goes",
    ],
    [
      "a deleted pod never runs again",
      "listed left 6",
      "a deleted pod that two lists of one process show running runs again; a phase alone proves nothing",
    ],
    [
      "the body of a whole pod is not looked at",
      "PodScanner.#walk remove 33",
      "a spec that is broken: nothing of it is known, and one more list is tried",
    ],
    [
      "what is kept of a pod is written over by the next one",
      "pod/slab.ts take remove 1",
      "a static pod that has run to its end stays listed: nothing comes and goes",
    ],
    [
      "a stream goes on with what the one before had staged",
      "Ledger.begin remove 1",
      "a tombstone lapses with the third list that lacks the pod, and at once with another kubelet [#56]",
    ],
    [
      "what a new list lacks is kept for ever",
      "Ledger.commit remove 9",
      "a tombstone lapses with the third list that lacks the pod, and at once with another kubelet [#56]",
    ],
    [
      "an empty list after a restart is believed",
      "Ledger.commit true 6",
      "one that has neither a UID nor a name proves nothing absent, and is never keyed as nothing [#43 #44]",
    ],
    [
      "DELETED is taken for an update",
      "Ledger.apply remove 1",
      "DELETED of the unknown is ignored, a repeated one too; Failed while running is no end [#57 #86 #91]",
    ],
    [
      "deleted pods come back by stale events",
      "takeVersion remove 4",
      "DELETED of the unknown is ignored, a repeated one too; Failed while running is no end [#57 #86 #91]",
    ],
    [
      "phase alone says that a pod is finished",
      "hasEnded left 1",
      "a pod of phase Failed whose containers run has not ended, in a list and live [#86]",
    ],
  ],
  "test/stream/machine.test.ts": [
    [
      "complete is bound to nothing",
      "WatchMachine.#connected left 1",
      "complete is bound to the connection on which the kubelet said that it initializes",
    ],
    [
      "nothing limits how often a stream is asked for",
      "TokenBucket.waitMs left 1",
      "a stream that ends as soon as it is opened",
    ],
    [
      "no resync repairs what was dropped",
      "WatchMachine.#table drop 22",
      "a socket's file that is replaced every 60 ms",
    ],
  ],
  "test/readers/queue.test.ts": [
    [
      "an addition behind a deletion loses its kind",
      "CoalescingQueue.next drop 3",
      "both halves of a deletion and an addition stay before what came after them",
    ],
    ["an addition behind a deletion is lost", "CoalescingQueue.put drop 4", "slot D"],
    ["a deletion takes a pending MODIFIED with it", "CoalescingQueue.delete remove 9", "slot M"],
  ],
  "test/known/unconfirmed.test.ts": [
    [
      "pods that were reported as deleted count as unconfirmed",
      "AbsenceJudge.summary left 1",
      "deleted pods are not counted for readers without finished pods",
    ],
    [
      "a pod without a stamp says which process a list is of",
      "processOf remove 2",
      "where most pods are missing nothing is deleted for a minute, then the list is believed",
    ],
    [
      "stamps that are all new are no evidence",
      "processOf false 9",
      "stamps that are all new: another process, whatever connection and socket are said to be",
    ],
    [
      "a stamp that is the same is no evidence",
      "processOf remove 4",
      "where most pods are missing nothing is deleted for a minute, then the list is believed",
    ],
    [
      "an entry without a UID is ignored",
      "Ledger.#stageNameless remove 5",
      "and lacks its namespace, its name or its end may be any pod",
    ],
    [
      "the agreement of two lists is not begun anew",
      "Guard.judge remove 1",
      "a source that comes back begins anew: its first, partial list releases nothing",
    ],
    [
      "a source that is missing is believed at once",
      "Guard.judge false 8",
      "a pod that disappears while a source is missing is deleted after two lists, five seconds apart",
    ],
    [
      "what runs is reported as gone",
      "AbsenceJudge.judge remove 12",
      "a pod that another process sends with equal bytes has been read by it",
    ],
    [
      "what has stopped is reported as gone before the kubelet says so",
      "endingMs right 2",
      "stays also if it has run to its end, since DELETED comes a second later",
    ],
    [
      "what runs is gone with the first list that lacks it",
      "AbsenceJudge.judge true 17",
      "stays over an outage and a restart, since it may run for its grace period",
    ],
    [
      "what has not been shown to run is reported as gone at once",
      "mayRun left 1",
      "stays where no container has been shown, or all have ended and are started again",
    ],
    [
      "the next process has ended what the one before was to end",
      "AbsenceJudge.judge remove 3",
      "stays again when another process lacks it: nothing has stopped its containers",
    ],
    [
      "an entry without a UID proves nothing, and no reader is reported of it",
      "UnreadablePods.commit logic 5",
      "that has a name may be the pod of that name that the list lacks, and leaves no other unconfirmed",
    ],
  ],
  "test/stream/upstream.test.ts": [
    [
      "what is heard of a stream is never published",
      "Upstream.#count remove 3",
      "a diagnostics subscriber finds carried out what it hears of",
    ],
    [
      "the old stream is applied until the new one's marker",
      "Upstream.#read remove 11",
      "any number of readers with more fields: at most five lists at once and two per second, and all receive pods",
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
    14,
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
  putBack: ["a static pod that was deleted counts as deleted when it is put back", "Ledger.#drop true 1", 49],
  goWhileAway: ["a pod is gone with the first list that lacks it", "AbsenceJudge.judge true 17", 5],
  drop: ["a list ends no pod that it lacks", "Ledger.commit false 6", 2058],
  damageListed: ["a pod that cannot be read is gone", "Ledger.stage left 6", 59],
  damage: ["a message that cannot be read is taken for an empty pod", "Ledger.apply remove 3", 5],
  stall: ["a deadline counts before what came meanwhile is read", "afterReads now 1", 425],
  agentRestarts: ["the informer does not note since when it knows the pods", "Evidence.#list undefined 2", 4],
  join: ["a reader that joins late is given nothing", "Consumer.begin remove 2", 460],
  wait: ["a wait for a key is never woken", "Waiters.wake true 1", 278],
  drain: ["a deletion leaves a waiting change as it is", "CoalescingQueue.delete remove 9", 2],
  command: ["a command believes that a pod is gone while one cannot be read", "until false 13", 7],
  call: ["the list of a call is believed although its kubelet is young", "PodsClient.#listed false 6", 10],
  listLate: ["what comes of a pod after a list showed it finished is how it is", "takeVersion left 8", 241],
  switchApi: ["lists of the HTTP server are as fresh as those of the Pods API", "Evidence.#list right 4", 137],
  swap: ["an older status is taken for the newest", "RunFold.fold remove 13", 497],
  cut: ["the time between two streams is no outage", "Evidence.listed remove 4", 23],
  repeat: ["MODIFIED is reported of a pod that has not changed", "Consumer.#eventOf false 3", 337],
  setClock: ["a time of day that came twice is converted as if it were clear", "Anchors.timeOf true 30", 198],
  restartAndReject: ["a list that shows a pod as failed has its end", "showsActive remove 3", 1],
  newType: ["an unknown type of event asks for no list", "WatchCore.#take true 5", 2472],
  flood: ["readers are not given the error of a stream that is lost", "Upstream.#log remove 8", 2492],
};
