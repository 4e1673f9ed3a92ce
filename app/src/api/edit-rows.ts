import { type MethodResult, methods, RunId, ThreadId } from "@xworkmate/contracts";
import { z } from "zod";
import { action, type Functions, query } from "./method.ts";

/** The files in a git repository that a thread's runs changed, on the bridge's machine. */
export const editRows = {
	listEdits: query(methods["xworkmate.edits.list"].params).returns<MethodResult<"xworkmate.edits.list">>(),
	readEdit: query(methods["xworkmate.edits.diff"].params).returns<MethodResult<"xworkmate.edits.diff">>(),
	/**
	 * Opens a changed file, of all runs or of one, in the editor named by the setting `editor`. The bridge must be this app's own.
	 * @throws AppError FILE_NOT_FOUND, FILE_BLOCKED, EDITOR_NOT_SET, EDITOR_FAILED
	 */
	openEdit: action(z.strictObject({ threadId: ThreadId, runId: RunId.optional(), path: z.string().max(4096) })).returns<void>(),
	applyEdits: action(methods["xworkmate.edits.apply"].params).returns<MethodResult<"xworkmate.edits.apply">>(),
	discardEdits: action(methods["xworkmate.edits.discard"].params).returns<MethodResult<"xworkmate.edits.discard">>(),
	commitEdits: action(methods["xworkmate.edits.commit"].params).returns<MethodResult<"xworkmate.edits.commit">>(),
};

export type EditFunctions = Functions<typeof editRows>;
