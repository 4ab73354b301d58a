export { AssignedResources,
  ChurnStep,
  Corruption,
  DeletionOptions,
  DeletionReason,
  EvictionOptions,
  EvictionReason,
  FaultRates,
  Faults,
  FinishOptions,
  FinishedPhase,
  GivenExit,
  KubeletProfile,
  PodInput,
  PodJson,
  RecordingLine,
  ReferenceKubelet,
  ReferenceKubeletOptions,
  RejectionOptions,
  Replay,
  ReplayOptions,
  ResourcesJson,
  RestartOptions,
  churn,
  maskedPod,
  parsePods,
  parseRecording,
  sampleNode,
  seededRandom } from './all.js';
import '@connectrpc/connect';
import './gen/k8s/io/apimachinery/pkg/util/intstr/int_or_string_pb.js';
import './gen/k8s/io/apimachinery/pkg/api/resource/quantity_pb.js';
import './gen/k8s/io/apimachinery/pkg/apis/meta/v1/meta_pb.js';
import './gen/k8s/io/api/core/v1/pod_pb.js';
import '@bufbuild/protobuf/wkt';
import './gen/json-keys.js';
