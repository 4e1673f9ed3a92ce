import { z } from "zod";

/** Far above what any path of a run may have; only what looks at each character is spared a text of megabytes. */
const MAX_PATH = 4096;
const Path = z.string().max(MAX_PATH);

export const WriteInput = z.union([
	z.strictObject({ path: Path, text: z.string().refine((text) => text.isWellFormed(), "must be well-formed Unicode") }),
	z.strictObject({ path: Path, base64: z.string() }),
]);
const PathOnly = z.object({ path: z.string().transform((path) => path.slice(0, MAX_PATH)) });
export const ReadInput = z.strictObject({ path: Path });
export const ListInput = z.strictObject({}).optional();
export const WaitInput = z.strictObject({
	ms: z
		.int()
		.min(0)
		.max(2 ** 31 - 1),
});

/** The bytes of a write, or undefined when its base64 is not in canonical form. */
export function writtenBytes(input: z.infer<typeof WriteInput>): Buffer | undefined {
	if ("text" in input) return Buffer.from(input.text);
	const bytes = Buffer.from(input.base64, "base64");
	return bytes.toString("base64") === input.base64 ? bytes : undefined;
}

/** The path of an input that may otherwise be wrong, so that a refusal can name it; the beginning of one that is too long. */
export function pathOf(input: unknown): string | undefined {
	const parsed = PathOnly.safeParse(input);
	return parsed.success ? parsed.data.path : undefined;
}

export function inputProblem(error: z.ZodError): string {
	return error.issues
		.slice(0, 5)
		.map((issue) => [issue.path.join("."), issue.message].filter((part) => part !== "").join(": "))
		.join("; ")
		.slice(0, 500);
}
