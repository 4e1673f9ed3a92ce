import type { RunStep } from "../../../ports/run-step.ts";

type Said = Extract<RunStep, { kind: "said" }>;
export type Told = Extract<RunStep, { kind: "told" }>;

/** What became of one call of a reply. Without `told`, it was not over. */
export interface RecordedCall {
	/** The steps of its program, if it ran one. */
	readonly program: readonly RunStep[];
	readonly told?: Told;
}

export interface RecordedReply {
	readonly said: Said;
	/** In the order of the reply's calls; of a reply without calls, what was said about it. */
	readonly calls: readonly RecordedCall[];
}

/** The recorded replies of a resumed turn, each with what followed from it. Pure. */
export function recordedReplies(steps: readonly RunStep[]): readonly RecordedReply[] {
	const replies: { said: Said; calls: { program: RunStep[]; told?: Told }[] }[] = [];
	let open: { program: RunStep[]; told?: Told } | undefined;
	for (const step of steps) {
		if (step.kind === "said") {
			open = undefined;
			replies.push({ said: step, calls: [] });
			continue;
		}
		const calls = replies.at(-1)?.calls;
		if (open === undefined) {
			open = { program: [] };
			calls?.push(open);
		}
		if (step.kind === "told") {
			open.told = step;
			open = undefined;
		} else open.program.push(step);
	}
	return replies;
}
