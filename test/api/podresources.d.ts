export { AllocatableResources,
  Assignment,
  ClaimedDevice,
  ContainerResources,
  CpuGroup,
  DeviceGroup,
  FreeResources,
  IdentifiedPod,
  MemoryBlock,
  NamedPod,
  PodResources,
  PodResourcesClient,
  PodResourcesInformer,
  PodResourcesInformerOptions,
  PodResourcesInformerState,
  PodResourcesProbe,
  PodsView,
  PodsViewEvent,
  ResourceClaim,
  joinPodResources } from './all.js';
import './gen/pod-types.js';
import '@connectrpc/connect';
import '@bufbuild/protobuf/wkt';
import './gen/k8s/io/api/core/v1/pod_pb.js';
import './gen/k8s/io/apimachinery/pkg/apis/meta/v1/meta_pb.js';
import './gen/json-table.js';
