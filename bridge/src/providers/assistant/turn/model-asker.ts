import { setTimeout as delay } from "node:timers/promises";
import type { AuthProfileId, FailedCode } from "@xworkmate/contracts";
import type { AfterFailure, Rotation, RunAccounts, UsableAccount } from "../../../ports/models/accounts.ts";
import {
	type ModelClient,
	type ModelCredential,
	ModelFailure,
	type ModelFailureKind,
	type ModelReply,
	type ModelRequest,
} from "../../../ports/models/model-client.ts";

/** How many times one request is repeated after temporary failures, and how many times it may change its account. */
const RETRIES = 2;
const ROTATIONS = 50;
/** The longest time that a request is delayed, even if the server asks for more. */
const MAX_WAIT_MS = 60_000;
const LIST_MS = 10_000;

export type Asked =
	| { readonly kind: "replied"; readonly profileId: AuthProfileId; readonly reply: ModelReply }
	| ({ readonly kind: "failed" } & AskFailure);

export interface AskFailure {
	readonly code: FailedCode;
	readonly message: string;
	/** Has the same meaning as in the provider's outcome. */
	readonly isRequest?: true;
}

/** Asks the model, trying one account after another. */
export class ModelAsker {
	readonly #client: ModelClient;
	readonly #accounts: RunAccounts;
	readonly #onRotated: (rotation: Rotation) => void;
	#account: UsableAccount;

	constructor(client: ModelClient, accounts: RunAccounts, onRotated: (rotation: Rotation) => void) {
		this.#client = client;
		this.#accounts = accounts;
		this.#account = accounts.current;
		this.#onRotated = onRotated;
	}

	/**
	 * `newAttempt` is called before each attempt, because an incomplete reply is discarded.
	 * @throws the signal's reason
	 */
	async ask(request: ModelRequest, newAttempt: () => (text: string) => void, signal: AbortSignal): Promise<Asked> {
		const { model } = request;
		const tried = await this.#try(model, signal, (credential) => this.#client.ask(request, credential, newAttempt(), signal));
		return "code" in tried ? { kind: "failed", ...tried } : { kind: "replied", profileId: this.#account.profileId, reply: tried };
	}

	/**
	 * The first of the models that the server offers.
	 * @throws the signal's reason
	 */
	async firstModel(signal: AbortSignal): Promise<string | AskFailure> {
		const tried = await this.#try("", signal, async (credential) => {
			const bound = AbortSignal.any([signal, AbortSignal.timeout(LIST_MS)]);
			try {
				return await this.#client.models(credential, bound);
			} catch (error) {
				if (!bound.aborted || signal.aborted) throw error;
				throw new ModelFailure("network", "The server did not list its models in time.");
			}
		});
		if ("code" in tried) return tried;
		return (
			tried[0] ?? {
				code: "PROVIDER_ERROR",
				message: `The model server doesn't list any models. Set the model to use: \`npm run -s xworkmate -- config set ${this.#client.provider}Model MODEL\`.`,
			}
		);
	}

	async #try<T extends object>(
		model: string,
		signal: AbortSignal,
		work: (credential: ModelCredential) => Promise<T>,
	): Promise<T | AskFailure> {
		let retries = 0;
		let rotations = 0;
		for (;;) {
			signal.throwIfAborted();
			try {
				const result = await work(this.#account.credential);
				await this.#accounts.succeeded(model);
				return result;
			} catch (error) {
				signal.throwIfAborted();
				if (!(error instanceof ModelFailure)) throw error;
				const after = await this.#accounts.failed(error, model);
				const isOver = after.kind === "again" ? retries++ >= RETRIES : after.kind === "rotated" && rotations++ >= ROTATIONS;
				if (isOver || after.kind === "failed" || after.kind === "none") return failureOf(error, after, model);
				if (after.kind === "again") await delay(Math.min(Math.max(0, after.waitMs), MAX_WAIT_MS), undefined, { signal });
				else this.#rotate(after);
			}
		}
	}

	#rotate(rotation: Rotation): void {
		this.#account = rotation.to;
		this.#onRotated(rotation);
	}
}

const failureWords: Readonly<Partial<Record<ModelFailureKind, string>>> = {
	refused: "The model's server refused the request",
	broken: "The model's response could not be used",
	overloaded: "The model's server failed, or is overloaded",
};

/**
 * A server that refuses a request can be reached and may accept another one. A failed request for its models says nothing about that, so it
 * is not marked.
 */
function failureOf({ kind, message }: ModelFailure, after: AfterFailure, model: string): AskFailure {
	if (after.kind === "none") return after.why;
	const words = `${failureWords[kind] ?? "The model could not be reached"}: ${message}`;
	return { code: "PROVIDER_ERROR", message: words, ...(kind === "refused" && model !== "" && { isRequest: true }) };
}
