/// <reference types="node" preserve="true" />
export type { KubeletHttpOptions } from "./http-options.js";
export { kubeletHttp } from "./http-source.js";
