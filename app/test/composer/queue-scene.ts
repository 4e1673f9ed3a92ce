import { setImmediate } from "node:timers/promises";
import type { TurnId } from "@xworkmate/contracts";
import type { SendRequest } from "../../src/api/app-api.ts";
import { ThreadQueue } from "../../src/composer/thread-queue.ts";
import { StoredThreads } from "../support/stored-threads.ts";
import { threadId } from "../support/thread-story.ts";

const routing = { executionTarget: "agent" } as const;

/** A queue behind a turn that runs; what is sent begins a turn at once. */
export class QueueScene implements Disposable {
	readonly threads = new StoredThreads();
	readonly sent: { readonly turnId: TurnId; readonly request: SendRequest }[] = [];
	readonly faults: unknown[] = [];
	/** What a message is refused with. */
	refusal: Error | undefined;
	/** OpenClaw's queue is full: a message is turned away, which is no error. */
	isFull = false;
	queue = this.open();

	constructor() {
		this.threads.begin("one", "first");
		this.threads.told();
	}

	open(): ThreadQueue {
		return new ThreadQueue({
			...{ home: this.threads.home, store: this.threads.store, repository: this.threads.repository, events: this.threads.events },
			sender: {
				send: async (request) => {
					if (this.refusal !== undefined) throw this.refusal;
					const { turnId } = request;
					if (turnId === undefined) throw new Error("it goes under the id that it has in the queue");
					this.sent.push({ turnId, request });
					this.threads.begin(turnId, request.prompt, [], {}, this.isFull ? "full" : "run");
					return { threadId, turnId };
				},
			},
			fault: (error) => this.faults.push(error),
		});
	}

	async add(prompt: string): Promise<TurnId> {
		const { queuedId } = await this.queue.add({ threadId, prompt, routing });
		if (queuedId === undefined) throw new Error("it was sent at once");
		return queuedId;
	}

	/** All that follows from what was done is done. */
	async settle(): Promise<readonly string[]> {
		for (let round = 0; round < 5; round++) await setImmediate();
		return this.sent.map(({ request }) => request.prompt);
	}

	get waiting(): readonly string[] {
		return this.detail.queued.map(({ prompt }) => prompt);
	}

	get detail() {
		return this.queue.detail(this.threads.repository.get(threadId));
	}

	get isStuck(): boolean {
		const thread = this.threads.store.surface.listed(threadId);
		return thread !== undefined && thread.queuedCount > 0 && this.queue.isStuck(thread);
	}

	/** Another process takes over, as after a crash. */
	restart(): void {
		this.queue.close();
		this.queue = this.open();
		this.queue.resume();
	}

	[Symbol.dispose](): void {
		this.queue.close();
		this.threads[Symbol.dispose]();
	}
}
