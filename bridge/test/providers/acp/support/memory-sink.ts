import type { RejectedArtifact } from "@xworkmate/contracts";
import type { PermissionAnswer, PermissionRequest, TurnSink } from "../../../../src/ports/agents/provider.ts";
import type { ProviderUpdate } from "../../../../src/ports/runs/run-event.ts";
import type { ProviderSession } from "../../../../src/ports/runs/session-store.ts";

const WAIT_MS = 8_000;

type Answering = (request: PermissionRequest) => Promise<PermissionAnswer>;

/** A turn's log in memory. */
export class MemorySink implements TurnSink {
	readonly updates: ProviderUpdate[] = [];
	readonly questions: PermissionRequest[] = [];
	readonly sessions: (ProviderSession | undefined)[] = [];
	readonly rejected: RejectedArtifact[] = [];
	/** How questions are answered; replace it. */
	answering: Answering = async () => ({ decision: "allow_once" });
	/** Awaited by every emit; replace it to fall behind. */
	pace: () => Promise<void> = async () => {};
	#watchers: (() => void)[] = [];

	async handOver(): Promise<void> {
		// Nothing outlives a test.
	}

	async emit(update: ProviderUpdate): Promise<void> {
		await this.pace();
		this.updates.push(update);
		this.#notify();
	}

	requestPermission(request: PermissionRequest): Promise<PermissionAnswer> {
		this.questions.push(request);
		this.#notify();
		return this.answering(request);
	}

	rejectArtifact(rejected: RejectedArtifact): void {
		this.rejected.push(rejected);
	}

	async saveSession(session: ProviderSession | undefined): Promise<void> {
		this.sessions.push(session);
	}

	get session(): ProviderSession | undefined {
		return this.sessions.at(-1);
	}

	/** All messages, one string each, in order. */
	get messages(): string[] {
		const texts = new Map<string, string>();
		for (const update of this.updates) {
			if (update.kind === "message_delta") texts.set(update.messageId, (texts.get(update.messageId) ?? "") + update.text);
		}
		return [...texts.values()];
	}

	get text(): string {
		return this.messages.join("");
	}

	of<Kind extends ProviderUpdate["kind"]>(kind: Kind): Extract<ProviderUpdate, { kind: Kind }>[] {
		return this.updates.filter((update): update is Extract<ProviderUpdate, { kind: Kind }> => update.kind === kind);
	}

	/** Settles as soon as the condition holds. @throws when it does not in time */
	async until(condition: (sink: MemorySink) => boolean): Promise<void> {
		const { promise, resolve, reject } = Promise.withResolvers<void>();
		const check = () => condition(this) && resolve();
		const timer = setTimeout(() => reject(new Error(`not seen in ${WAIT_MS} ms; the agent said: ${this.text.slice(-500)}`)), WAIT_MS);
		this.#watchers.push(check);
		check();
		try {
			await promise;
		} finally {
			clearTimeout(timer);
			this.#watchers = this.#watchers.filter((watcher) => watcher !== check);
		}
	}

	#notify(): void {
		for (const watcher of this.#watchers) watcher();
	}
}
