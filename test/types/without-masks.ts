// The same calls without masks.

import { PodsClient } from "kubelet-pods";

const pods = new PodsClient();
export const results = [
  await pods.listPods(),
  await pods.listPods(),
  await pods.listPods(),
  await pods.listPods(),
  await pods.listPods(),
  await pods.listPods(),
  await pods.listPods(),
  await pods.listPods(),
  await pods.listPods(),
  await pods.listPods(),
  await pods.getPod("1"),
  await pods.getPod("2"),
  await pods.getPod("3"),
  await pods.getPod("4"),
  await pods.getPod("5"),
  pods.watchPods(),
  pods.watchPods(),
  pods.watchPods(),
  pods.informer(),
  pods.informer(),
];
