/// <reference types="node" preserve="true" />
export type { KubeletHttpOptions } from "./options.js";
export { kubeletHttp } from "./source.js";
