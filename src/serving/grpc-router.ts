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

/** A call that is being answered. */
export interface Call {
  /** Aborts when the client has gone or its deadline is over. */
  readonly signal: AbortSignal;
  readonly requestHeader: Headers;
  readonly stream: http2.ServerHttp2Stream;
  /** Metadata that the answer begins with; read when its first message is sent, or its end. */
  readonly responseHeader: Record<string, string>;
}

/** A message that is encoded already. */
type Encoded = Uint8Array;

/** Answers a unary call. What it throws is the call's status: a GrpcError, or anything else, as Unknown. */
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

/** A method that is served. */
export interface Route {
  readonly method: DescMethod;
  readonly answer: (request: unknown, call: Call) => unknown;
}

/** The methods that a gRPC server has, by their paths. */
export class GrpcRouter {
  readonly #routes = new Map<string, Route>();
  readonly #services = new Set<string>();

  /** Adds a method. */
  rpc<M extends DescMethodUnary | DescMethodServerStreaming>(method: M, answer: AnswerOf<M>): void {
    this.#services.add(method.parent.typeName);
    this.#routes.set(`${method.parent.typeName}/${method.name}`, { method, answer: answer as Route["answer"] });
  }

  /** Adds the methods of a service for which there is an answer. */
  service<S extends DescService>(service: S, answers: { [N in keyof S["method"]]?: AnswerOf<S["method"][N]> }): void {
    for (const [name, answer] of Object.entries(answers)) {
      const method = service.method[name];
      if (method !== undefined && answer !== undefined)
        this.rpc(method as DescMethodUnary, answer as AnswersOnce<DescMessage, DescMessage>);
    }
  }

  /** Returns the method of a service, or why there is none, as grpc-go says it. */
  find(service: string, method: string): Route | string {
    const route = this.#routes.get(`${service}/${method}`);
    if (route !== undefined) return route;
    return this.#services.has(service)
      ? `unknown method ${method} for service ${service}`
      : `unknown service ${service}`;
  }
}
