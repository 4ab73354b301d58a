import type http2 from "node:http2";
import type {
  DescMessage,
  DescMethod,
  DescMethodServerStreaming,
  DescMethodUnary,
  DescService,
  MessageInitShape,
  MessageShape,
} from "@bufbuild/protobuf";

/** A call in progress. */
export interface Call {
  /** Aborts when the client disconnects, or when its deadline expires. */
  readonly signal: AbortSignal;
  readonly requestHeader: Headers;
  readonly stream: http2.ServerHttp2Stream;
  /** Metadata of the answer. It is read when the first message or the status is sent. */
  readonly responseHeader: Record<string, string>;
}

/** An encoded message. */
type Encoded = Uint8Array;

/**
 * Answers a unary call. A GrpcError that it throws is the status of the call, an error of Connect gives its code, any other error is
 * Unknown.
 */
type AnswersOnce<I extends DescMessage, O extends DescMessage> = (
  request: MessageShape<I>,
  call: Call,
) => MessageInitShape<O> | Encoded | Promise<MessageInitShape<O> | Encoded>;

/** Answers a call with a stream. */
type AnswersOften<I extends DescMessage, O extends DescMessage> = (
  request: MessageShape<I>,
  call: Call,
) => AsyncIterable<MessageInitShape<O> | Encoded>;

type AnswerOf<M extends DescMethod> =
  M extends DescMethodUnary<infer I, infer O>
    ? AnswersOnce<I, O>
    : M extends DescMethodServerStreaming<infer I, infer O>
      ? AnswersOften<I, O>
      : never;

/** A served method. */
export interface Route {
  readonly method: DescMethod;
  readonly answer: (request: unknown, call: Call) => unknown;
}

/** The methods of a gRPC server, by their paths. */
export class GrpcRouter {
  readonly #routes = new Map<string, Route>();
  readonly #services = new Set<string>();

  rpc<M extends DescMethodUnary | DescMethodServerStreaming>(method: M, answer: AnswerOf<M>): void {
    this.#services.add(method.parent.typeName);
    this.#routes.set(`${method.parent.typeName}/${method.name}`, { method, answer: answer as Route["answer"] });
  }

  /** Adds those methods of a service for which `answers` has a function. */
  service<S extends DescService>(service: S, answers: { [N in keyof S["method"]]?: AnswerOf<S["method"][N]> }): void {
    for (const [name, answer] of Object.entries(answers)) {
      const method = service.method[name];
      if (method !== undefined && answer !== undefined)
        this.rpc(method as DescMethodUnary, answer as AnswersOnce<DescMessage, DescMessage>);
    }
  }

  /** Returns the route of a method; if there is none, grpc-go's error message. */
  find(service: string, method: string): Route | string {
    const route = this.#routes.get(`${service}/${method}`);
    if (route !== undefined) return route;
    return this.#services.has(service)
      ? `unknown method ${method} for service ${service}`
      : `unknown service ${service}`;
  }
}
