import { restoreDatabase, sentence } from "@xworkmate/contracts";
import { isDiskFullCode, systemErrorCode } from "@xworkmate/platform/errors";
import { z } from "zod";

/** An error as it is sent over the local API. */
export const Failure = z.object({ code: z.string(), message: z.string(), fix: z.string().optional() });
export type Failure = z.infer<typeof Failure>;

const full: Failure = {
	code: "DISK_FULL",
	message: "Nothing was saved because the disk that holds XWorkmate's files is full.",
	fix: "Free some space, then try again.",
};

const damaged: Failure = {
	code: "APP_DATABASE_DAMAGED",
	message: "Part of the app's database (app/app.sqlite in the data folder) is damaged and could not be read or written.",
	fix: `${restoreDatabase("with an empty list")} The threads' folders are not affected.`,
};

/** Converts any error to its form on the local API. Internal details stay in this process. */
export function toFailure(error: unknown): Failure {
	if (error instanceof z.ZodError) {
		const [issue] = error.issues;
		return {
			code: "INVALID_INPUT",
			message: sentence(issue === undefined ? "The input is invalid" : `${issue.path.join(".") || "The input"}: ${issue.message}`),
		};
	}
	const code = systemErrorCode(error);
	if (isDiskFullCode(code)) return full;
	if (code?.startsWith("SQLITE_CORRUPT") || code === "SQLITE_NOTADB") return damaged;
	if (error instanceof Error && "code" in error) {
		const named = Failure.safeParse({ ...error, code: error.code, message: error.message });
		if (named.success) return named.data;
	}
	return { code: "INTERNAL", message: "Something went wrong in the app. See the app's terminal or log for the cause." };
}
