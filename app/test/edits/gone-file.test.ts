import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { RunId, ThreadId } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import { editFunctions } from "../../src/edits/edit-functions.ts";
import { temporaryHome } from "../support/temporary-home.ts";

it("says of a changed file that is gone that the repository has no such file, not that the thread's files have to be downloaded", async () => {
	using home = temporaryHome();
	const call = async () => ({ directory: home.path, files: [{ path: "gone.ts" }] });
	const { openEdit } = editFunctions({
		client: Object.create({ call }),
		home: home.path,
		host: Object.create({ startedWith: {}, environment: { XWORKMATE_EDITOR: "no-such-editor-here {file}" } }),
		repository: { find: () => undefined },
	});
	await expect(openEdit({ threadId: ThreadId.parse("thread1"), path: "gone.ts" })).rejects.toMatchObject({
		code: "FILE_NOT_FOUND",
		message: "This file isn't in the repository's folder.",
		fix: expect.stringContaining("List the thread's changes again."),
	});
});

it("looks for the file in the list that the user sees, and says of one that isn't in it only that", async () => {
	using home = temporaryHome();
	const runId = RunId.parse("run-1");
	const call = async (_method: string, which: { readonly runId?: RunId }) => ({
		directory: home.path,
		files: which.runId === runId ? [{ path: "of-the-run.ts" }] : [],
	});
	writeFileSync(join(home.path, "of-the-run.ts"), "");
	const { openEdit } = editFunctions({
		client: Object.create({ call }),
		home: home.path,
		host: Object.create({ startedWith: {}, environment: { XWORKMATE_EDITOR: "no-such-editor-here {file}" } }),
		repository: { find: () => undefined },
	});
	const which = { threadId: ThreadId.parse("thread1"), path: "of-the-run.ts" };
	const unlisted = { code: "FILE_NOT_FOUND", message: "This file is not in the list of changes." };
	await expect(openEdit(which)).rejects.toMatchObject(unlisted);
	await expect(openEdit({ ...which, runId })).rejects.toMatchObject({ code: "EDITOR_FAILED" });
});
