export { AssignedResources,
  ChurnStep,
  Corruption,
  DeletionOptions,
  DeletionReason,
  EvictionOptions,
  EvictionReason,
  FaultRates,
  Faults,
  FinishedPhase,
  GivenExit,
  KubeletProfile,
  PodInput,
  PodJson,
  Reason,
  RecordingLine,
  ReferenceKubelet,
  ReferenceKubeletOptions,
  Replay,
  ReplayOptions,
  ResourcesJson,
  RestartOptions,
  churn,
  parsePods,
  parseRecording,
  sampleNode,
  seededRandom } from './all.js';
import './gen/pod-types.js';
import '@connectrpc/connect';
import '@bufbuild/protobuf/wkt';
import './gen/k8s/io/api/core/v1/pod_pb.js';
import './gen/k8s/io/apimachinery/pkg/apis/meta/v1/meta_pb.js';
import './gen/json-table.js';
