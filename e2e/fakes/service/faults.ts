import { z } from "zod";

/** How the next matching requests go wrong. `acts`: the service does what was asked before it answers wrongly. */
export const Fault = z.strictObject({
	kind: z.enum(["reset_before", "reset_after", "hang", "delay", "answer", "garbage", "huge"]),
	/** Only requests with this method, and with a path that contains this text. */
	method: z.string().optional(),
	path: z.string().optional(),
	times: z.int().min(1).default(1),
	acts: z.boolean().default(false),
	/** Of `answer`. */
	status: z.int().default(500),
	headers: z.record(z.string(), z.string()).default({}),
	body: z.string().default(""),
	/** Of `delay`. */
	ms: z.int().min(0).default(0),
});
export type Fault = z.infer<typeof Fault>;

/** The faults that are still to happen, in the order in which they were told. */
export class Faults {
	#left: Fault[] = [];

	add(fault: Fault): void {
		this.#left.push(fault);
	}

	take(method: string, path: string): Fault | undefined {
		const fault = this.#left.find((one) => (one.method ?? method) === method && path.includes(one.path ?? ""));
		if (fault === undefined) return undefined;
		const rest = fault.times === 1 ? [] : [{ ...fault, times: fault.times - 1 }];
		this.#left = this.#left.flatMap((one) => (one === fault ? rest : [one]));
		return fault;
	}
}
