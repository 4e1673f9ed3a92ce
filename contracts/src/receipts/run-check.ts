import type { RunId, Sha256 } from "../ids/ids.ts";
import { canonicalJson } from "../json/canonical-json.ts";
import type { ReceiptProblem, ReceiptProblemCode } from "./ledger-line.ts";
import { type ChainOwner, emptyChainOf, sha256Of } from "./receipt-chain.ts";

/** The end of a chain that the ledger vouches for. */
export interface SealedHead {
	readonly count: number;
	readonly head: Sha256;
}

/** What the ledger says about one run or one plan. */
export interface RunSeal {
	/** In the order in which the ledger has them. */
	readonly heads: readonly SealedHead[];
	/** Where the chain of the ended run ends. Absent: the ledger does not say. */
	readonly final?: SealedHead;
	/** True: the run's rows were deleted at the user's request. */
	readonly isRemoved: boolean;
}

export const unsealed: RunSeal = { heads: [], isRemoved: false };

interface Link {
	readonly owner: unknown;
	readonly n: number;
	readonly prevHash: unknown;
	readonly hash: string;
	/** True: the receipt's hash matches its content. */
	readonly isWhole: boolean;
}

/**
 * Checks the receipts of one run or plan, one after another: against each other, and against what the ledger says. Takes the same memory
 * for any number of receipts.
 */
export class RunCheck {
	readonly #of: ChainOwner;
	readonly #owner: string;
	readonly #seal: RunSeal;
	readonly #sha256: (text: string) => string;
	readonly #sealed: ReadonlyMap<number, SealedHead>;
	readonly #problems: ReceiptProblem[] = [];
	#last: Pick<Link, "n" | "hash" | "isWhole">;
	#isForged = false;

	constructor(of: ChainOwner, seal: RunSeal, sha256: (text: string) => string = sha256Of) {
		this.#of = of;
		this.#owner = ownerOf(of);
		this.#seal = seal;
		this.#sha256 = sha256;
		this.#sealed = new Map([...seal.heads, ...(seal.final === undefined ? [] : [seal.final])].map((sealed) => [sealed.count, sealed]));
		this.#last = { n: 0, hash: emptyChainOf(of).hash, isWhole: true };
	}

	/**
	 * Takes the next receipt. `undefined`: the receipt is listed, but its content is missing. A damaged one, such as null, counts as changed.
	 */
	take(receipt: unknown): void {
		if (receipt === undefined) {
			const n = this.#last.n + 1;
			this.#last = { n, hash: "", isWhole: false };
			this.#note("MISSING", n, missing(n, n));
			return;
		}
		const link = this.#linkOf(receipt);
		const last = this.#last;
		if (link.owner !== this.#owner || link.n <= last.n) {
			this.#note("MOVED", last.n + 1, `There is a different receipt where receipt ${last.n + 1} should be.`);
			return;
		}
		this.#last = link;
		if (!link.isWhole) this.#note("EDITED", link.n, `Receipt ${link.n} was changed after it was written.`);
		if (link.n > last.n + 1) this.#note("MISSING", last.n + 1, missing(last.n + 1, link.n - 1));
		// An altered receipt is reported only once: the next receipt still has the hash from before the change.
		else if (link.isWhole && last.isWhole && link.prevHash !== last.hash) {
			this.#note("EDITED", Math.max(last.n, 1), `Receipt ${Math.max(last.n, 1)} was changed after it was written.`);
		}
		const sealed = this.#sealed.get(link.n);
		if (sealed !== undefined && sealed.head !== link.hash) this.#forged(link.n);
	}

	/** Ends the check, and returns the problems. `isOver`: the chain belongs to a run that has a terminal event. */
	end(isOver: boolean): readonly ReceiptProblem[] {
		const { heads, final } = this.#seal;
		const { n } = this.#last;
		const seen = Math.max(final?.count ?? 0, ...heads.map(({ count }) => count));
		const cut = n === 0 ? "All receipts" : `Receipts after ${n}`;
		if (seen > n) this.#note("CUT", n, `${cut} were cut off: the ledger has recorded ${seen}.`);
		if (final !== undefined && n > final.count) this.#forged(final.count + 1);
		if (isOver && n > 0 && final === undefined) this.#note("UNSEALED", n, "The end of this run is not sealed by the ledger.");
		return this.#problems;
	}

	#linkOf(receipt: unknown): Link {
		const next = this.#last.n + 1;
		const owner = this.#owner;
		if (typeof receipt !== "object" || receipt === null) return { owner, n: next, prevHash: "", hash: "", isWhole: false };
		const { hash, ...rest } = receipt as { hash?: unknown; runId?: unknown; planId?: unknown; n?: unknown; prevHash?: unknown };
		const isWhole = this.#hash(rest) === hash;
		// The owner and the number in a changed receipt are not trusted.
		if (!isWhole) return { owner, n: next, prevHash: rest.prevHash, hash: String(hash), isWhole };
		return { owner: ownerOf(rest), n: Number(rest.n), prevHash: rest.prevHash, hash: String(hash), isWhole };
	}

	#hash(content: object): string | undefined {
		try {
			return this.#sha256(canonicalJson(content));
		} catch {
			// A receipt without a canonical form cannot be what was written.
			return undefined;
		}
	}

	#forged(n: number): void {
		if (this.#isForged) return;
		this.#isForged = true;
		this.#note("FORGED", n, `${this.#of.planId === undefined ? "This run" : "This plan"}'s receipts don't match the signed ledger.`);
	}

	#note(code: ReceiptProblemCode, n: number, message: string): void {
		this.#problems.push({ code, ...this.#of, n: Math.max(n, 0), message });
	}
}

/** Keeps a run and a plan with the same id apart. */
function ownerOf({ runId, planId }: { readonly runId?: unknown; readonly planId?: unknown }): string {
	return planId === undefined ? `run ${String(runId)}` : `plan ${String(planId)}`;
}

function missing(from: number, to: number): string {
	return from === to ? `Receipt ${from} is missing.` : `Receipts ${from} to ${to} are missing.`;
}

/** The problems of one run, from all of its receipts in order, as they were read. Pure. */
export function verifyRun(receipts: Iterable<unknown>, runId: RunId, seal: RunSeal, isOver: boolean): readonly ReceiptProblem[] {
	const check = new RunCheck({ runId }, seal);
	for (const receipt of receipts) check.take(receipt);
	return check.end(isOver);
}
