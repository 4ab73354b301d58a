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

/** A call under way. */
export interface Call {
  /** Aborts when the client has disconnected, or its deadline is over. */
  readonly signal: AbortSignal;
  readonly requestHeader: Headers;
  readonly stream: http2.ServerHttp2Stream;
  /** Metadata of the answer. It is read when the first message or the end is sent. */
  readonly responseHeader: Record<string, string>;
}

/** An encoded message. */
type Encoded = Uint8Array;

/** Answers a unary call. A thrown GrpcError is the call's status; any other error is Unknown. */
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

  /** Adds a method. */
  rpc<M extends DescMethodUnary | DescMethodServerStreaming>(method: M, answer: AnswerOf<M>): void {
    this.#services.add(method.parent.typeName);
    this.#routes.set(`${method.parent.typeName}/${method.name}`, { method, answer: answer as Route["answer"] });
  }

  /** Adds the methods of a service that have an answer. */
  service<S extends DescService>(service: S, answers: { [N in keyof S["method"]]?: AnswerOf<S["method"][N]> }): void {
    for (const [name, answer] of Object.entries(answers)) {
      const method = service.method[name];
      if (method !== undefined && answer !== undefined)
        this.rpc(method as DescMethodUnary, answer as AnswersOnce<DescMessage, DescMessage>);
    }
  }

  /** Returns the method of a service, or grpc-go's message if there is none. */
  find(service: string, method: string): Route | string {
    const route = this.#routes.get(`${service}/${method}`);
    if (route !== undefined) return route;
    return this.#services.has(service)
      ? `unknown method ${method} for service ${service}`
      : `unknown service ${service}`;
  }
}
