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
      "changes of pods that were finished before are reported",
      "FIRST_FACTS drop 3",
      "emits nothing for a pod that was finished before",
    ],
    [
      "the runs of a pod that returns are reported again",
      "RunBook.#accept right 2",
      "reports no run twice if a pod returns with its UID",
    ],
    [
      "runs from before the stream are missed if the first list lacked the pod",
      "isOlderThan false 1",
      "reports no missed runs from before the stream, even if the first list lacked the pod",
    ],
    [
      "the containers of a finished pod do not end with includeFinished",
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
      "one list that shows an ended pod running makes it active again",
      "RunBook.#accept true 1",
      "reports each run once for a pod that ends and runs again",
    ],
  ],
  "test/known/run-fold.test.ts": [
    [
      "a run that ended before its pod was stopped gets the pod's stop reason",
      "RunFold.fold right 7",
      "an end keeps the stop reason known at its first status, even if reported later",
    ],
    [
      "a created container counts as started",
      "RunFold.#present true 5",
      "does not start until a status shows it running or terminated",
    ],
    [
      "an end that only lastState reports is not reported",
      "RunFold.#before true 1",
      "is reported with start and end if only lastState shows it",
    ],
    [
      "a run is reported again whenever a status shows its end",
      "RunFold.#end remove 4",
      "starts and ends once, even if several statuses show it",
    ],
    [
      "the end of the current run in lastState is ignored",
      "ENDS false 5",
      "ends by lastState before the next run starts",
    ],
    ["an inferred end is reported as exit code 137", "ENDS true 4", "ends the current run and reports no exit"],
    ["an inferred end ends nothing", "ENDS false 6", "ends the current run and reports no exit"],
    [
      "an inferred end that stays in lastState also ends the next run",
      "ENDS true 6",
      "is not the exit of the next run while it stays in lastState",
    ],
    [
      "an inferred end counts as a missed run",
      "RunFold.fold remove 26",
      "makes no run missed if the next run has this count or one higher",
    ],
    [
      "each inferred end hides a run, even if the count did not increase",
      "RunFold.fold true 31",
      "hides no missed run if an inferred end left the count unchanged",
    ],
    [
      "an inferred end that stays in lastState is counted repeatedly",
      "RunFold.#sightOf true 11",
      "is not the exit of the next run while it stays in lastState",
    ],
    [
      "only one of several inferred ends in a row is counted",
      "RunFold.#sightOf left 7",
      "makes no run missed if it increases twice",
    ],
    [
      "a replaced run never ends",
      "RunFold.#sightOf false 16",
      "is reported with start and end if only lastState shows it",
    ],
    ["a run without a container never ends", "ENDS false 10", "starts no run of an evicted pod"],
    ["a waiting container without lastState has ended", "ENDS true 11", "does not end the run with the same ID"],
    [
      "no run is missed before the first one after the runtime was wiped",
      "RunFold.fold undefined 8",
      "are reported from count 0 if the count decreases because the runtime was wiped",
    ],
    [
      "a decreased restart count makes runs missed although no list lacked the pod",
      "RunFold.#isRecount right 2",
      "a count that decreases below a reported run adds no run",
    ],
    [
      "no run is missed after the counts restarted, although a list lacked the pod",
      "RunFold.fold left 17",
      "are reported from count 0 if a list lacked the pod and its counts restarted",
    ],
    [
      "runs from before the first status are missed",
      "RunFold.#start right 1",
      "has the ID of the ended run while in CrashLoopBackOff",
    ],
    [
      "a status older than the reported state ends the current run",
      "RunFold.fold remove 13",
      "ends no run and makes no run missed",
    ],
    ["a status that looks old is never accepted", "RunFold.fold right 8", "is accepted once two lists agree"],
    [
      "an end that an event only implies is reported at once",
      "RunFold.fold false 22",
      "is reported when a later list or event confirms it",
    ],
    [
      "an exit that the runtime invented is reported as exit",
      "RunFold.#end false 6",
      "an exit that the runtime invented is in `reported` and not in `exit`",
    ],
    [
      "a container that was created but never ran is missed",
      "RunFold.fold remove 23",
      "a container that was created but never ran is not reported as missed",
    ],
    [
      "a run that was lost between two statuses is not missed",
      "RunFold.fold true 28",
      "a run that started and was lost between two statuses is reported as missed",
    ],
    ["missed runs are not reported", "RunFold.#start remove 1", "does not hide runs that are missed after it"],
    [
      "the ended run of a waiting container has the count of the run before it",
      "RunFold.#before right 4",
      "has the ID of the ended run while in CrashLoopBackOff",
    ],
    [
      "a container that failed to start has a start time in 1970",
      "pod/container-run.ts timeOf left 2",
      "a container that failed to start has a run with an end and no start time",
    ],
    [
      "the containers of a deleted pod do not end",
      "RunFold.gone remove 2",
      "ends by lastState before the next run starts",
    ],
    [
      "a run is forgotten while statuses still show it",
      "RunFold.fold remove 37",
      "an ended run is reported once, even if forty later statuses show it",
    ],
    [
      "a count that decreases below a reported run adds a run",
      "RunFold.fold right 18",
      "a count that decreases below a reported run adds no run",
    ],
    [
      "a run that lastState shows late is reported during the next run",
      "RunFold.#before remove 3",
      "an earlier run that lastState shows late is not reported",
    ],
  ],
  "test/readers/containers/container-watch.test.ts": [
    [
      "a pod that has left the selection is still reported",
      "ContainerConsumer.#changed false 13",
      "emits no end for a pod that leaves it, and new events after its return",
    ],
    [
      "a pod that started and ended during an outage is not reported",
      "FIRST_FACTS false 2",
      "hides no run that the kubelet still shows",
    ],
    [
      "the running containers of a pod that returns to the selection are not reported",
      "ContainerConsumer.#firstFacts empty 2",
      "emits no end for a pod that leaves it, and new events after its return",
    ],
    [
      "runs from before the reader joined are not initial",
      "ContainerConsumer.begin false 2",
      "begins with the informer's pods when it joins late",
    ],
  ],
  "test/readers/containers/run-queue.test.ts": [
    [
      "a container that never ran is in the range of missed runs",
      "fold left 2",
      "joins adjacent ranges of missed runs and no others",
    ],
    [
      "a slow reader does not receive the end of its started run",
      "changesOf remove 1",
      "changes are delivered in order, and only once",
    ],
    [
      "a range of dropped runs has no last count",
      "fold drop 3",
      "turns the oldest runs beyond the limit into missed ones, but keeps the started run's end",
    ],
    [
      "no run waits for a slow reader",
      "MAX_RUNS number 1",
      "turns the oldest runs beyond the limit into missed ones, but keeps the started run's end",
    ],
    [
      "a container without waiting changes delays the others",
      "RunQueue.next remove 11",
      "changes that arrive during the delivery of a container wait behind the others",
    ],
    [
      "the queue of deleted pods is unbounded",
      "dropOldest true 1",
      "keeps the last 1000 undelivered containers of deleted pods and all ends of started runs",
    ],
    [
      "a start of a forgotten container is delivered",
      "RunQueue.forget remove 7",
      "delivers no start of a forgotten container, only the end of its started run",
    ],
    [
      "a container that the reader knows is dropped in favour of unknown ones",
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
      "a leading zero is accepted",
      "octetsOf remove 3",
      "normalizes all spellings of an address and rejects other text",
    ],
  ],
  "test/lookup/confidence.test.ts": [
    [
      "a pod is the certain owner of its address between init containers",
      "isIdle false 5",
      "an address is uncertain after the init container of its pod has ended",
    ],
    [
      "a time just after a backward clock step is converted with the earlier offset",
      "Anchors.timeOf left 32",
      "after a backward step, times that occurred twice are uncertain",
    ],
    [
      "a pod is the certain owner of its address while no container runs",
      "isIdle false 1",
      "an address is uncertain while no container of its pod runs, but the name is not",
    ],
    [
      "a list confirms an address across a restart of all containers",
      "PodIndex.#put remove 9",
      "a list confirms no address across a restart of all containers",
    ],
    [
      "a new address is uncertain while no container of its pod runs",
      "mayHaveLost true 6",
      "the first event with an address makes it likely even if no container runs",
    ],
    [
      "a pod without running containers is idle only since the list that shows it",
      "PodIndex.#noteIdle right 2",
      "a pod that a list shows without running containers may be idle since the previous list",
    ],
    [
      "a pod with an empty status keeps its address although another pod shows it",
      "rankOf right 1",
      "an address belongs to the pod that shows it, not to one with an empty status",
    ],
    [
      "an end that a list reports is dated like one from an event",
      "PodIndex.#untilMs right 4",
      "an address that a list shows first may date from any time since the previous list",
    ],
    [
      "a list confirms reports from less than five seconds before it",
      "Evidence.proofOf left 2",
      "an end that a list reveals may date from any time since the previous list",
    ],
    [
      "the first list after a kubelet start is accepted as current",
      "Evidence.#list false 1",
      "answers are at most likely for fifteen seconds after a kubelet start",
    ],
    [
      "lists without events are as current as events",
      "Evidence.#list right 4",
      "answers from lists without events are at most likely",
    ],
    [
      "an absence is certain although an unread pod may have the key",
      "Evidence.#list right 6",
      "an absence is uncertain before the start, in outages, and while pods are unconfirmed or unreadable",
    ],
    [
      "a pod that the kubelet reads late has its address for ten seconds only",
      "Evidence.unseenSinceMs right 1",
      "a pod that the kubelet reads late is an uncertain owner for earlier times",
    ],
    [
      "an event ends the owner of a name as early as a list",
      "isAfterReport right 2",
      "a name passes to the next pod of that name, and a list confirms its owner",
    ],
    [
      "a name exists until the last event, not until the last list",
      "isAfterReport left 4",
      "an event after the list does not show that a name still exists",
    ],
    [
      "an empty status confirms an address",
      "PodIndex.#put false 22",
      "an address is uncertain while the status of its pod is empty",
    ],
    [
      "a time of day is converted with the current offset",
      "Anchors.timeOf false 24",
      "after a forward step, times that never occurred are uncertain",
    ],
    [
      "a time that occurred twice is certain",
      "Anchors.timeOf true 30",
      "after a backward step, times that occurred twice are uncertain",
    ],
    [
      "answers for a past outage are certain",
      "THEN right 4",
      "answers are at most likely for fifteen seconds after a kubelet start",
    ],
    [
      "a pod with an empty status is a certain owner of its address",
      "lacksStatus false 1",
      "an address is uncertain while the status of its pod is empty",
    ],
  ],
  "test/client/start.test.ts": [
    [
      "the first list of a kubelet proves what it lacks",
      "PodInformer.#relisted true 8",
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
    ["a stop is forgotten with the version that shows it", "endingIn drop 1", "is kept when the last status omits it"],
    ["a pod that runs on is stopped", "endingIn false 1", "is kept when the last status omits it"],
    [
      "a stop ends containers that had ended before",
      "runEndOf true 8",
      "does not apply to containers that ended before",
    ],
    [
      "a stop ends containers that were replaced before",
      "runEndOf true 7",
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
      "takeKeys false 13",
      "a late older status ends no container and no address unless a list has it",
    ],
    [
      "the next owner has the address long before its report",
      "likeliest true 13",
      "belongs to the pod that was reported with it at that time",
    ],
    [
      "a pod that is reported after an outage has its address during it",
      "likeliest true 14",
      "belongs to the deleted pod during an outage if the next list shows no other owner",
    ],
    [
      "the next owner has the address ten seconds before the stream was lost",
      "likeliest left 10",
      "belongs to the deleted pod until a second before the stream was lost",
    ],
    [
      "a pod has an address before the kubelet has seen it",
      "PodIndex.#beginningOf true 6",
      "does not belong to the next pod before the kubelet has seen it",
    ],
    [
      "no pod existed before the kubelet started",
      "PodIndex.#beginningOf true 4",
      "may belong to a pod before the kubelet started",
    ],
    [
      "a creation time after the first report is used",
      "PodIndex.#beginningOf true 5",
      "ignores a creation time in the future, and uses the first-seen time of a static pod",
    ],
    [
      "answers for the last ten seconds are reported instead of likely",
      "SETTLED_MS number 1",
      "an address passes to a new owner after the end of the old owner",
    ],
    [
      "a pod may have an address before its creation",
      "PodIndex.#timed right 4",
      "a pod is the likely owner between its creation and its first report",
    ],
    [
      "a pod has its address since its creation, despite another address in between",
      "PodIndex.#timed left 5",
      "a pod with a new address has lost its former one, possibly before the report",
    ],
    [
      "a finished pod keeps its address",
      "PodIndex.#put true 11",
      "an address passes to a new owner after the end of the old owner",
    ],
    [
      "a deleted pod whose status shows it running keeps its address",
      "PodIndex.#put right 9",
      "a deleted pod loses its address even if its status shows it running",
    ],
    [
      "answers for an outage are certain",
      "Evidence.reportedUntilMs left 2",
      "an end during an outage may lie anywhere in it",
    ],
    [
      "an unconfirmed pod is a certain owner",
      "PodIndex.listed remove 5",
      "an unconfirmed pod is an uncertain owner from the list that lacks it",
    ],
    [
      "the late end of the old owner ends the new owner's address",
      "PodIndex.#release right 2",
      "an address passes to a new owner before the end of the old owner is reported",
    ],
    [
      "the later of two possible owners is certain",
      "hadAt true 30",
      "an address with two owners is uncertain until one of them ends",
    ],
    [
      "an ended pod loses its address at once if another pod has it later",
      "hadAt false 25",
      "the sandbox of an ended pod may have an address until another pod is reported with it",
    ],
    [
      "an ended pod still claims an address that another pod has had since",
      "hadAt true 24",
      "an ended pod has no claim to an address that another pod has had since",
    ],
    [
      "a retained pod hides an active one",
      "latest negate 2",
      "an address passes to a new owner after the end of the old owner",
    ],
    [
      "an active pod counts as retained",
      "latest false 2",
      "an active owner hides retained pods, even if it is not selected",
    ],
    [
      "each informer sees pods that only another informer retains",
      "PodFinder.#isRetained right 1",
      "a finished pod that stays listed loses its address",
    ],
    [
      "each informer sees as many pods as the largest limit",
      "PodFinder.#isRetained true 4",
      "each informer sees retained pods within its own limits",
    ],
    [
      "byIP finds a former address",
      "PodFinder.present left 3",
      "a deleted pod loses its address even if its status shows it running",
    ],
    [
      "a container that its pod's status no longer names is forgotten at once",
      "PodIndex.#release negate 9",
      "finds current, previous and retained containers, also of a deleted pod",
    ],
    [
      "an IPv4-mapped IPv6 address is rejected",
      "addressOf undefined 2",
      "ignores host-network addresses and rejects invalid keys",
    ],
    [
      "a pod on the host's network has the node's address",
      "keysIn true 1",
      "ignores host-network addresses and rejects invalid keys",
    ],
    [
      "answers for a past time in which a pod was unconfirmed are certain",
      "Spans.set remove 4",
      "an unconfirmed pod is an uncertain owner from the list that lacks it",
    ],
    ["an unreadable pod is a certain owner", "THEN false 11", "an unreadable pod is an uncertain owner"],
    [
      "the later of two owners of an address is certain",
      "NOW right 4",
      "an address passes to a new owner before the end of the old owner is reported",
    ],
    [
      "a deleted pod hides an active one of its name",
      "latest false 3",
      "a deleted pod that is still listed does not hide an active pod of its name",
    ],
    [
      "the container of a former static pod resolves to the present one",
      "exactly right 3",
      "a container of a former static pod resolves to that pod after its UID returns",
    ],
  ],
  "test/lookup/waiting.test.ts": [
    [
      "a pod that is confirmed unchanged wakes no wait",
      "Lookups.#listed remove 3",
      "a wait for a name resolves when an unconfirmed pod is confirmed unchanged",
    ],
    [
      "a time in another unit is accepted",
      "readAt left 14",
      "accepts each form of `at`, and names the unit of a time in a wrong one",
    ],
    [
      "a wait for an address resolves with the previous owner",
      "PodFinder.awaited right 4",
      "waitFor() skips the previous owner of an address unless `at` lies in its time",
    ],
    [
      "a wait for an address resolves while the informer is stale",
      "PodFinder.awaited remove 1",
      "waitFor() waits for SYNCED, but resolves known UIDs and container IDs while stale",
    ],
    [
      "no wait is woken",
      "Lookups.#changed remove 11",
      "waitFor() resolves when the kubelet reports the key, or at once if it is known",
    ],
    [
      "an aborted wait stays in the list of waits",
      "KeyWait.#leave remove 1",
      "waitFor() resolves when the kubelet reports the key, or at once if it is known",
    ],
    [
      "retained pods never expire",
      "Lookups.#evict remove 10",
      "retained pods expire by one timer, and closing the last informer drops the index",
    ],
    [
      "a planned resync makes all answers uncertain",
      "Lookups.accept remove 6",
      "an answer for a past time keeps its confidence over planned resyncs",
    ],
    [
      "an informer that joins in an outage answers as if the known pods were just reported",
      "Lookups.join true 2",
      "an informer that starts late or in an outage is uncertain about earlier times",
    ],
    [
      "a wait for an end is woken for present keys only",
      "keysOfEntry remove 6",
      "a wait for an end resolves even if the pod no longer has the key",
    ],
  ],
  "test/client/clocks.test.ts": [
    [
      "times count on a node whose clock is behind",
      "afterVersion false 1",
      "a container that a deletion ends is deleted, on a node whose clock is -5 s apart",
    ],
    [
      "an end that a version showed before the deletion is forgotten",
      "deletionStart left 2",
      "a container that exits before a deletion has exited, on a node whose clock is 5 s apart",
    ],
    [
      "runs that start after the clock was set back are older ones",
      "RunFold.arrivedAt remove 1",
      "a static pod that is put back after the clock was set back starts its containers again",
    ],
  ],
  "test/client/decisions.test.ts": [
    [
      "a reader never learns that its unconfirmed pods are decided",
      "SyncedEvents.after false 4",
      "a source counts as missing only if the list has no pod of it, known before or not",
    ],
    [
      "a static pod that is sent as new before its end has not ended",
      "takeVersion remove 1",
      "a static pod that is sent as new just before DELETED keeps its end",
    ],
    [
      "an empty list comes from the process that had pods",
      "Completeness.judge true 4",
      "an empty list after one with pods is that of another process, which may not have read them yet",
    ],
    [
      "a static pod that started within its stamp's second waits for its grace period",
      "known/record.ts hasStarted false 12",
      "a static pod under another stamp, with a new container of its second, and another address, is the next pod at once: list",
    ],
    [
      "a static pod whose address stays is another one",
      "known/record.ts hasStarted true 11",
      "a static pod under another stamp, with a new container of its second, and the same address, is not the next pod at once: list",
    ],
  ],
  "test/testing/end-stories.test.ts": [
    [
      "a container's own restart policy and rules do not count",
      "isRestarted false 1",
      "a container whose rule restarts it waits for its restart, and its pod is deleted",
    ],
  ],
  "test/specification/specification.test.ts": [
    [
      "the retained bytes of a pod are overwritten by the next one",
      "pod/slab.ts take remove 1",
      "on random messages, in which each rule decides something",
    ],
  ],
  "test/timing/deadline.test.ts": [
    [
      "a deadline counts before what came while the event loop stood still is read",
      "afterReads now 1",
      "data that arrives while the event loop is blocked is read before the deadline",
    ],
    [
      "an error blames the server although this process was busy",
      "orBusy true 1",
      "the error of a call reports how long this process was busy, and does not blame the server",
    ],
    [
      "time for which this process was busy before a call counts",
      "Budget.orBusy left 2",
      "time for which this process was busy before a limit does not count",
    ],
  ],
  "test/lookup/candidates.test.ts": [
    [
      "an unreadable pod is not ordered behind a readable one",
      "rankOf left 1",
      "prefers a readable pod, even if it is unconfirmed and older",
    ],
  ],
  "test/known/completeness.test.ts": [
    [
      "the grace period of an empty status does not start again with a new process",
      "judgeEmpty left 1",
      "the grace period starts again when another process lists the empty status",
    ],
    [
      "the next process counts as complete because the previous one was",
      "Completeness.judge remove 3",
      "a new process needs two lists again, and a list without API pods proves no absences",
    ],
    [
      "a process that has not read all pods ends those of the previous process",
      "AbsenceJudge.judge right 3",
      "keeps a missing pod until the kubelet has read all pods and the grace period is over",
    ],
    [
      "a rejected pod that never had containers is deleted at once",
      "showsEnd left 2",
      "a pod that never had containers finishes at once, but its absence is confirmed later",
    ],
    [
      "a finished static pod is never active again",
      "showsActive left 4",
      "a finished static pod is active again if another process lists it as Pending",
    ],
    [
      "a Pending pod that fails finishes at once",
      "judgeEmpty true 13",
      "a Pending pod that fails stays active for its grace period, because it may have started",
    ],
    [
      "the first list is complete",
      "Completeness.judge true 16",
      "a second list with API pods, two seconds later, proves absences",
    ],
    [
      "a list of static pods with new stamps is complete",
      "seemsRead true 8",
      "accepts the first list of static pods if it has pods, and no stamp is less than ten seconds old",
    ],
    [
      "lists of pods without stamps prove no absences",
      "Completeness.judge false 1",
      "two lists of pods without stamps prove absences even if the process is unknown",
    ],
    [
      "a list that is accepted by contract requests a second one",
      "Ledger.#proofWantedInMs true 1",
      "requests no second list after a list that was accepted by contract",
    ],
    [
      "a list without API pods proves absences",
      "Completeness.judge true 25",
      "a new process needs two lists again, and a list without API pods proves no absences",
    ],
    [
      "an unreadable pod is deleted before another process has read it",
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
      "each SYNCED is initial",
      "SyncedEvents.take remove 3",
      "the first SYNCED that a reader receives is initial, even if it replaced others",
    ],
    [
      "equal pods are emitted as MODIFIED",
      "Consumer.#eventOf false 3",
      "emits no MODIFIED for fields outside the mask or for a reverted change",
    ],
    [
      "a pod with too few retained fields is emitted",
      "Consumer.#changed true 8",
      "a pod with too few known fields is emitted once enough are known",
    ],
  ],
  "test/stream/core.test.ts": [
    ["the sync marker is ignored", "WatchCore.#take false 5", "is the shortest one that a listener wants"],
    [
      "a list overrides an event that came while it was under way",
      "WatchCore.#take remove 21",
      "says nothing about a pod with an event since it was sent",
    ],
    [
      "a list of another process is committed beside the stream",
      "WatchCore.listed false 4",
      "of another process changes nothing, and the next stream is opened",
    ],
    [
      "a pod that a list lacks and the stream has added needs no further list",
      "Ledger.#differs false 5",
      "if it lacks a pod that the stream has added",
    ],
    [
      "any event of a pod that a list has asks for one more",
      "Ledger.#differs true 5",
      "and by none if events and list agree",
    ],
    [
      "an event behind a list asks for no further one",
      "WatchCore.#take false 19",
      "if an event differs from it within two seconds, and not later",
    ],
    [
      "a wedged stream is replaced after its first list with news",
      "WatchCore.#judgeSilence remove 4",
      "shows a wedged stream: two lists with news of running pods, ten seconds apart, without an event in between",
    ],
    [
      "an event does not show that the stream works",
      "WatchCore.#take remove 20",
      "shows a wedged stream: two lists with news of running pods, ten seconds apart, without an event in between",
    ],
  ],
  "test/readers/damage.test.ts": [
    [
      "a pod that leaves the selection is never emitted as DELETED",
      "Consumer.#changed remove 7",
      "an unreadable pod neither leaves nor enters a selection",
    ],
    [
      "an emitted pod is emitted even after it left the selection",
      "Consumer.#changed true 7",
      "an unreadable pod neither leaves nor enters a selection",
    ],
  ],
  "test/known/ledger.test.ts": [
    [
      "an unreadable pod is forgotten with the first list that lacks it",
      "UnreadablePods.commit true 10",
      "forgets an unknown unreadable pod forty seconds after the first list without it",
    ],
    [
      "a static pod with a new stamp is the same pod",
      "isAnother false 1",
      "stays until its DELETED, then the next pod counts",
    ],
    [
      "a status after DELETED is applied",
      "takeVersion right 8",
      "ignores unknown and repeated DELETED events; a Failed pod that runs stays active [#57 #86 #91]",
    ],
    [
      "DELETED without a UID is no possible gap",
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
      "the fields of a pod are not checked",
      "PodScanner.#walk remove 33",
      "a pod with a broken spec is unreadable, and is a possible gap once",
    ],
    [
      "a stream continues with the staged pods of the previous one",
      "Ledger.begin remove 1",
      "a tombstone expires with the third list without the pod, or with another kubelet [#56]",
    ],
    [
      "tombstones never expire",
      "Tombstones.age remove 1",
      "a tombstone expires with the third list without the pod, or with another kubelet [#56]",
    ],
    [
      "an entry without UID and name does not prevent deletions",
      "Ledger.commit true 9",
      "an entry without UID and name prevents deletions and gets no key [#43 #44]",
    ],
    [
      "DELETED is applied as an update",
      "Ledger.apply remove 1",
      "ignores unknown and repeated DELETED events; a Failed pod that runs stays active [#57 #86 #91]",
    ],
    [
      "deleted pods come back by stale events",
      "takeVersion remove 6",
      "ignores unknown and repeated DELETED events; a Failed pod that runs stays active [#57 #86 #91]",
    ],
    [
      "a pod counts as finished by its phase alone",
      "hasEnded left 1",
      "a Failed pod with running containers is active, in a list and in an event [#86]",
    ],
  ],
  "test/stream/machine.test.ts": [
    [
      "completeness is not limited to a connection",
      "WatchMachine.#connected left 1",
      "is limited to the connection on which the kubelet was initializing",
    ],
    ["streams are not rate-limited", "TokenBucket.waitMs left 1", "limits streams that end as soon as they are opened"],
    [
      "a refused list ends the stream",
      "WatchMachine.#unlisted true 4",
      "is sent again after a refusal, and the stream continues",
    ],
    [
      "a list without an answer is no failure",
      "WatchMachine.#due remove 3",
      "without an answer ends the stream ten seconds after it was sent",
    ],
    [
      "refusals of lists go on for ever",
      "WatchMachine.#unlisted false 5",
      "that is refused for a minute is replaced by a stream",
    ],
    [
      "a list has no time limit while bytes come",
      "WatchMachine.#paused left 1",
      "fails after two minutes although bytes come, and ignores bytes of an earlier one",
    ],
    [
      "a list that is too large is a failure",
      "WatchMachine.#unlisted false 3",
      "that is too large, or that the connection does not accept, opens the next stream without an outage",
    ],
    [
      "a source that cannot list beside its stream is asked to",
      "WatchMachine.#due false 6",
      "keeps a live stream until the rate limit allows another one",
    ],
    [
      "a difference at a list asks for no further one",
      "WatchMachine.#synced right 13",
      "is followed by one more for each possible gap and each difference, after growing delays",
    ],
    [
      "a live stream is never replaced",
      "WatchMachine.#table drop 24",
      "limits streams to a socket that is replaced every 60 ms",
    ],
  ],
  "test/readers/queue.test.ts": [
    [
      "an addition after a waiting deletion loses its type",
      "CoalescingQueue.next drop 3",
      "a deletion and its addition both come before later events",
    ],
    [
      "an addition after a waiting deletion is lost",
      "CoalescingQueue.put drop 4",
      "merges a change or a deletion into a pending DELETED",
    ],
    [
      "a deletion removes a pending MODIFIED without DELETED",
      "CoalescingQueue.delete remove 9",
      "merges a change or a deletion into a pending MODIFIED",
    ],
  ],
  "test/known/absence.test.ts": [
    [
      "pods that were reported as deleted count as unconfirmed",
      "AbsenceJudge.summary left 1",
      "the unconfirmed count excludes deleted pods for readers without finished pods",
    ],
    [
      "a pod without a stamp identifies the process of a list",
      "processOf remove 2",
      "if most pods are missing, none is deleted for a minute",
    ],
    [
      "a list with only new stamps counts as one of the same process",
      "processOf false 10",
      "is another one if all stamps are new, even over the same connection",
    ],
    [
      "stamps of an earlier process identify another one",
      "processOf true 9",
      "is not another one because a pod has a newer stamp than in an earlier process",
    ],
    [
      "an equal stamp does not identify the process",
      "processOf remove 4",
      "if most pods are missing, none is deleted for a minute",
    ],
    [
      "an entry without a UID is ignored",
      "Ledger.#stageNameless remove 5",
      "without namespace or name, or cut off, keeps all missing pods unconfirmed",
    ],
    [
      "two lists need not agree again after a source returned",
      "Guard.judge remove 1",
      "when a source returns, its first list deletes none of its pods",
    ],
    [
      "the pods of a missing source are deleted at once",
      "Guard.judge false 9",
      "while a source is missing, other pods are deleted after two lists five seconds apart",
    ],
    [
      "a running pod is deleted when a list lacks it",
      "AbsenceJudge.judge remove 15",
      "has read a pod that it sends with equal bytes in an event",
    ],
    [
      "a stopped pod is deleted before the kubelet sends DELETED",
      "endingMs right 2",
      "stays for ten seconds if its containers have ended",
    ],
    [
      "a running pod is deleted with the first list that lacks it",
      "AbsenceJudge.judge true 19",
      "stays for its grace period over an outage and a kubelet restart",
    ],
    [
      "a pod without running containers is deleted at once",
      "mayRun left 1",
      "stays if its status is empty, or if its ended containers will be restarted",
    ],
    [
      "a new process does not start the grace period again",
      "AbsenceJudge.judge remove 4",
      "stays for another grace period when a list of a new process lacks it",
    ],
    [
      "an entry without a UID does not keep a missing pod unconfirmed",
      "UnreadablePods.commit logic 5",
      "with a name keeps only the missing pod of that name unconfirmed",
    ],
  ],
  "test/errors/classify.test.ts": [
    [
      "a watch that the rate limit refuses is dropped",
      "codeOfStatus false 1",
      "a refusal by the rate limit is rate-limited for WatchPods",
    ],
    [
      "a watch that is dropped is rate-limited",
      "codeOfStatus true 3",
      "any other ResourceExhausted of a watch is dropped",
    ],
  ],
  "test/calls/pacing.test.ts": [
    [
      "a watch waits behind calls",
      "Pacer.take right 1",
      "serves watches before calls that were waiting, and an aborted watch uses no token",
    ],
  ],
  "test/testing/kubelet-1-38.test.ts": [
    [
      "a failed pod of 1.38 succeeds if its containers exit with 0",
      "derive false 14",
      "1.38: its last status is Failed Evicted",
    ],
    [
      "WatchPods of 1.38 is not limited",
      "enter false 2",
      "refuses a watch of 1.38, which is rate-limited and retried within 1.2 s",
    ],
    [
      "a container of 1.38 inherits the probe results of another one",
      "probedAnew true 4",
      "1.38: its first status is neither ready nor started",
    ],
  ],
  "test/stream/upstream.test.ts": [
    [
      "a stream takes no token",
      "Upstream.#read false 2",
      "each stream waits for a token, and one that the rate limit refuses slows the client down",
    ],
    [
      "a stream that the rate limit refuses does not slow the client down",
      "Upstream.#read false 6",
      "each stream waits for a token, and one that the rate limit refuses slows the client down",
    ],
    [
      "stream messages are not published to diagnostics",
      "Upstream.#count remove 3",
      "a diagnostics subscriber sees the state that the message reports",
    ],
    [
      "the replaced stream is applied until the sync marker of the new one",
      "Upstream.#read remove 14",
      "readers that each request more fields cost a limited number of lists",
    ],
  ],
};

/** For each action of the adversary, a bug that only shows where that action happens. */
export const LIFE_MUTATIONS: Readonly<Record<Step["action"], LifeMutation>> = {
  add: ["a new pod is reported by lists alone", "Ledger.#applyVersion empty 2", 2],
  pass: ["a pod that the kubelet listed only for a short time is ignored", "SETTLED_MS number 1", 27],
  exit: ["an end in the status of the next container is ignored", "ENDS false 5", 60],
  label: ["a changed pod in a list is not reported", "Ledger.#commitVersion false 4", 769],
  finish: ["a stop is forgotten with the version that shows it", "endingIn drop 1", 3],
  delete: [
    "the removal of a finished pod is reported by the next planned list only",
    "Ledger.#awaitRemoval negate 1",
    26,
  ],
  disrupt: ["a disruption condition alone counts as the stop of the pod", "isWritten right 1", 119],
  killForMemory: ["the OOM kill of a child process counts as one of the container", "isOOMKill left 1", 17],
  withdraw: ["a pod that has left the lists is deleted while it runs", "AbsenceJudge.judge remove 15", 10],
  withdrawBehindList: ["a running pod that a list lacks has no grace period", "endingMs false 1", 20],
  goAway: ["a connection that goes away is a failure", "WatchMachine.#unlisted false 1", 25],
  freezeList: ["a list without an answer is no failure", "WatchMachine.#sent drop 4", 38],
  refuse: ["a refused list ends the stream", "WatchMachine.#unlisted true 4", 603],
  resandbox: ["a pod never loses a former address", "PodIndex.#shift remove 2", 59],
  failSandbox: ["a pod is the certain owner of its address while no container runs", "isIdle false 1", 14],
  createInVain: ["a container that never ran is reported as missed", "RunFold.fold remove 23", 3],
  inventExits: ["an exit that the runtime invented is reported as the container's", "RunFold.#end false 10", 2],
  handOver: ["a time before a handover resolves to the next owner", "likeliest left 7", 76],
  deleteInACrowd: ["a pod counts as finished by its phase alone", "hasEnded left 1", 469],
  lose: ["an end without an ID that stays in the status is counted again", "RunFold.#sightOf true 9", 82],
  restartOlder: ["the first list of a process proves absences", "Completeness.judge true 16", 10],
  restartWithoutApi: ["a source with listed pods counts as missing", "Guard.judge true 2", 19],
  restart: ["missing pods are unconfirmed although the list is complete", "AbsenceJudge.#guarded remove 1", 4],
  restartNewer: [
    "missing pods are unconfirmed although the list of 1.38 is complete",
    "AbsenceJudge.#guarded remove 1",
    57,
  ],
  putBack: ["a pod that is not static is forgotten with its DELETED", "Ledger.#deleted true 6", 96],
  putBackSoon: ["the next pod of a manifest replaces a static pod that still runs", "isNextPod false 4", 32],
  goWhileAway: ["a pod is deleted with the first list that lacks it", "AbsenceJudge.judge true 19", 5],
  drop: ["a list deletes no pod that it lacks", "Ledger.commit false 10", 2058],
  damageListed: ["an unreadable pod is deleted", "Ledger.stage left 10", 77],
  damage: ["an unreadable message is applied as an empty pod", "Ledger.apply remove 4", 5],
  stall: ["a deadline expires before waiting data is read", "afterReads now 1", 425],
  agentRestarts: ["the informer does not record since when it knows the pods", "Evidence.#list undefined 2", 4],
  join: ["a reader that joins late receives no pods", "Consumer.begin remove 2", 460],
  wait: ["a wait for a key is never woken", "Waiters.wake true 1", 278],
  drain: ["a deletion does not merge with a waiting change", "CoalescingQueue.delete remove 9", 44],
  command: ["a command reports a pod as deleted while an entry is unreadable", "until false 13", 7],
  call: ["the list of a call is accepted although the kubelet has just started", "PodsClient.#prove false 1", 10],
  listLate: ["a pod stays active although a list shows it finished", "showsActive true 11", 9],
  switchApi: ["lists of the HTTP server count as current as those of the Pods API", "Evidence.#list right 4", 474],
  swap: ["an older status is applied as the newest", "RunFold.fold remove 13", 405],
  cut: ["the time between two streams does not count as an outage", "Evidence.listed remove 4", 31],
  repeat: ["MODIFIED is emitted for an unchanged pod", "Consumer.#eventOf false 3", 1292],
  setClock: ["a time of day that occurred twice is converted as certain", "Anchors.timeOf true 30", 198],
  restartAndReject: ["a Failed pod in a list has ended", "showsActive remove 3", 1],
  newType: ["an unknown event type requests no list", "WatchCore.#take true 6", 2472],
  crashLoop: ["a range of runs that became MISSED has no restart counts", "countsOf empty 3", 37],
  flood: ["readers do not receive the error of a lost stream", "Upstream.#log remove 8", 2492],
};
