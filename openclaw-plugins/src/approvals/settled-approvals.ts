import { OpenClawApprovalOutcome } from "@xworkmate/contracts";
import { errorMessage } from "@xworkmate/platform/errors";
import { readIfThere, writeDurably } from "@xworkmate/platform/files";
import { z } from "zod";

/** Beyond this number, the oldest are dropped: a late answer arrives within seconds, or after a reload. */
const MAX_KEPT = 1000;

const Kept = z.object({ schemaVersion: z.literal(1), outcomes: z.array(z.tuple([z.string(), OpenClawApprovalOutcome])) });

/**
 * The outcomes of held tool calls, so that a second answer gets the outcome that counted. Stored on disk, because a reload of the plugin
 * clears its memory.
 */
export class SettledApprovals {
	readonly #path: string;
	readonly #warn: (message: string) => void;
	#outcomes: Map<string, OpenClawApprovalOutcome> | undefined;

	constructor(path: string, warn: (message: string) => void) {
		this.#path = path;
		this.#warn = warn;
	}

	outcomeOf(id: string): OpenClawApprovalOutcome | undefined {
		return this.#kept().get(id);
	}

	/** An answer counts even if it cannot be stored. */
	add(id: string, outcome: OpenClawApprovalOutcome): void {
		const kept = this.#kept().set(id, outcome);
		for (const oldest of [...kept.keys()].slice(0, -MAX_KEPT)) kept.delete(oldest);
		try {
			writeDurably(this.#path, JSON.stringify({ schemaVersion: 1, outcomes: [...kept] } satisfies z.infer<typeof Kept>));
		} catch (error) {
			this.#warn(`the outcome of a tool call's approval could not be saved: ${errorMessage(error)}`);
		}
	}

	#kept(): Map<string, OpenClawApprovalOutcome> {
		this.#outcomes ??= new Map(this.#read());
		return this.#outcomes;
	}

	#read(): z.infer<typeof Kept>["outcomes"] {
		try {
			const text = readIfThere(this.#path);
			return text === undefined ? [] : Kept.parse(JSON.parse(text)).outcomes;
		} catch (error) {
			this.#warn(`the outcomes of earlier approvals cannot be read: ${errorMessage(error)}`);
			return [];
		}
	}
}
