import { ThreadId } from "@xworkmate/contracts";
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
	for (const path of ["gone.ts", "unlisted.ts"]) {
		await expect(openEdit({ threadId: ThreadId.parse("thread1"), path })).rejects.toMatchObject({
			code: "FILE_NOT_FOUND",
			message: "This file isn't in the repository's folder.",
			fix: expect.stringContaining("List the thread's changes again."),
		});
	}
});
