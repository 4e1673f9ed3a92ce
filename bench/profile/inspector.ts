import { once } from "node:events";
import { z } from "zod";
import type { BridgeProcess } from "../../e2e/support/bridge/bridge-process.ts";

/** Set in the environment of a process that is to be inspected: it chooses a port and prints the address. */
export const inspectable = { NODE_OPTIONS: "--inspect=127.0.0.1:0" } as const;

/** What V8 reports about a function: the file is empty for those that are built in. */
const ProfileNode = z.object({
	id: z.number(),
	callFrame: z.object({ functionName: z.string(), url: z.string() }),
	children: z.array(z.number()).optional(),
});
export const CpuProfile = z.looseObject({ nodes: z.array(ProfileNode), samples: z.array(z.number()), timeDeltas: z.array(z.number()) });
export type CpuProfile = z.infer<typeof CpuProfile>;

const Answer = z.object({ id: z.number(), result: z.unknown().optional(), error: z.object({ message: z.string() }).optional() });
const SAMPLE_EVERY_US = 200;

/** The inspector of a process that was started `inspectable`: profiles its main thread and reads values from it. */
export class Inspector implements Disposable {
	readonly #socket: WebSocket;
	readonly #asked = new Map<number, PromiseWithResolvers<unknown>>();
	#lastId = 0;

	private constructor(socket: WebSocket) {
		this.#socket = socket;
		socket.addEventListener("message", ({ data }) => this.#take(String(data)));
		socket.addEventListener("close", () => {
			for (const { reject } of this.#asked.values()) reject(new Error("the inspected process ended"));
		});
	}

	/** @throws Error for a process that printed no address */
	static async attach({ output }: Pick<BridgeProcess, "output">): Promise<Inspector> {
		// A process that was started again has printed several.
		const address = [...output.matchAll(/Debugger listening on (ws:\S+)/g)].at(-1)?.[1];
		if (address === undefined) throw new Error(`no inspector's address in: ${output}`);
		const socket = new WebSocket(address);
		await once(socket, "open");
		return new Inspector(socket);
	}

	/** CPU profile of the main thread during `act`. */
	async profile(act: () => Promise<void>): Promise<CpuProfile> {
		await this.#ask("Profiler.enable");
		await this.#ask("Profiler.setSamplingInterval", { interval: SAMPLE_EVERY_US });
		await this.#ask("Profiler.start");
		await act();
		return z.object({ profile: CpuProfile }).parse(await this.#ask("Profiler.stop")).profile;
	}

	/** Memory of the JavaScript heap after everything unreachable was collected, in MiB. */
	async heapMiB(): Promise<number> {
		await this.#ask("HeapProfiler.collectGarbage");
		const { usedSize } = z.object({ usedSize: z.number() }).parse(await this.#ask("Runtime.getHeapUsage"));
		return usedSize / 2 ** 20;
	}

	/** The value of an expression, as JSON. */
	async evaluate(expression: string): Promise<unknown> {
		const Evaluated = z.object({ result: z.object({ value: z.unknown() }), exceptionDetails: z.unknown().optional() });
		const { result, exceptionDetails } = Evaluated.parse(await this.#ask("Runtime.evaluate", { expression, returnByValue: true }));
		if (exceptionDetails !== undefined) throw new Error(`${expression}: ${JSON.stringify(exceptionDetails)}`);
		return result.value;
	}

	[Symbol.dispose](): void {
		this.#socket.close();
	}

	#ask(method: string, params: object = {}): Promise<unknown> {
		const id = ++this.#lastId;
		const asked = Promise.withResolvers<unknown>();
		this.#asked.set(id, asked);
		this.#socket.send(JSON.stringify({ id, method, params }));
		return asked.promise;
	}

	#take(text: string): void {
		const answer = Answer.safeParse(JSON.parse(text));
		if (!answer.success) return;
		const { id, result, error } = answer.data;
		const asked = this.#asked.get(id);
		this.#asked.delete(id);
		if (error === undefined) asked?.resolve(result);
		else asked?.reject(new Error(error.message));
	}
}
