export * from './gen/pod-types.js';
