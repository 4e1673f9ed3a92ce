import { z } from "zod";

/** What a refusal says across the local API. */
export const Failure = z.object({ code: z.string(), message: z.string(), fix: z.string().optional() });
export type Failure = z.infer<typeof Failure>;

/** Any error as a refusal; what is not meant for the person stays in this process. */
export function toFailure(error: unknown): Failure {
	if (error instanceof z.ZodError) {
		const [issue] = error.issues;
		return { code: "INVALID_INPUT", message: `${issue?.path.join(".") ?? ""}: ${issue?.message ?? "has the wrong form"}` };
	}
	if (error instanceof Error && "code" in error) {
		const named = Failure.safeParse({ ...error, code: error.code, message: error.message });
		if (named.success) return named.data;
	}
	return { code: "INTERNAL", message: "the app failed; its log has the cause" };
}
