import { setTimeout as delay } from "node:timers/promises";
import type { AuthProfileId, FailedCode } from "@xworkmate/contracts";
import type { AfterFailure, RunAccounts, UsableAccount } from "../../../ports/accounts.ts";
import { type ModelClient, ModelFailure, type ModelReply, type ModelRequest } from "../../../ports/model-client.ts";

/** How often one request is made again after failures that pass, and how often it may change its account. */
const RETRIES = 2;
const ROTATIONS = 50;
/** Whatever a server says, a request is not put off for longer. */
const MAX_WAIT_MS = 60_000;

export type Asked =
	| { readonly kind: "replied"; readonly profileId: AuthProfileId; readonly reply: ModelReply }
	| { readonly kind: "failed"; readonly code: FailedCode; readonly message: string };

export interface Rotation {
	readonly from: AuthProfileId;
	readonly to: UsableAccount;
	readonly reason: string;
}

/** Asks the model of one run, with one account after another. */
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

	/** `newAttempt`: called before each, since half a reply counts for nothing. @throws the signal's reason */
	async ask(request: ModelRequest, newAttempt: () => (text: string) => void, signal: AbortSignal): Promise<Asked> {
		let retries = 0;
		let rotations = 0;
		for (;;) {
			signal.throwIfAborted();
			try {
				const reply = await this.#client.ask(request, this.#account.credential, newAttempt(), signal);
				await this.#accounts.succeeded(request.model);
				return { kind: "replied", profileId: this.#account.profileId, reply };
			} catch (error) {
				signal.throwIfAborted();
				if (!(error instanceof ModelFailure)) throw error;
				const after = await this.#accounts.failed(error, request.model);
				const isOver = after.kind === "again" ? retries++ >= RETRIES : after.kind === "rotated" && rotations++ >= ROTATIONS;
				if (isOver || after.kind === "failed" || after.kind === "none") return failureOf(error, after);
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

function failureOf({ kind, message }: ModelFailure, after: AfterFailure): Asked {
	if (after.kind === "none") return { kind: "failed", ...after.why };
	const what = kind === "refused" ? "The model's server refused the request" : "The model could not be reached";
	return { kind: "failed", code: "PROVIDER_ERROR", message: `${what}: ${message}` };
}
