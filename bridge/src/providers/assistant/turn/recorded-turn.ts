import type { RunStep } from "../../../ports/runs/run-step.ts";

type Said = Extract<RunStep, { kind: "said" }>;
export type Told = Extract<RunStep, { kind: "told" }>;

/** The record of one call in a reply. Without `told`, the call was not finished. */
export interface RecordedCall {
	/** The steps of the call's program, if it ran one. */
	readonly program: readonly RunStep[];
	readonly told?: Told;
}

export interface RecordedReply {
	readonly said: Said;
	/** In the order of the reply's calls. For a reply without calls, a single entry with what the model was told about it. */
	readonly calls: readonly RecordedCall[];
}

/** The recorded replies of a resumed turn, each with the calls that followed and what the model was told. Pure. */
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
