import { ContractError, type ThreadId } from "@xworkmate/contracts";
import type { EditFunctions } from "../api/edit-rows.ts";
import type { BridgeClient } from "../bridge-client/index.ts";
import type { AppHost } from "../doctor/app-host.ts";
import { AppError } from "../errors/app-error.ts";
import { openInEditor } from "../files/open-in-editor.ts";
import { readLiveSetting } from "../settings/live-setting.ts";
import { threadNotFound } from "../threads/index.ts";
import type { ThreadRepository } from "../threads/thread-repository.ts";

export interface EditFunctionsParts {
	readonly client: BridgeClient;
	readonly home: string;
	readonly host: AppHost;
	readonly repository: Pick<ThreadRepository, "find">;
}

export function editFunctions({ client, home, host, repository }: EditFunctionsParts): EditFunctions {
	/** The bridge answers EDITS_UNAVAILABLE even for a thread that does not exist, so the app checks whether the thread exists. */
	async function ofThread<T>(threadId: ThreadId, asked: Promise<T>): Promise<T> {
		try {
			return await asked;
		} catch (error) {
			const isNone = error instanceof ContractError && error.code === "EDITS_UNAVAILABLE";
			throw isNone && repository.find(threadId) === undefined ? threadNotFound() : error;
		}
	}
	return {
		listEdits: (which) => ofThread(which.threadId, client.call("xworkmate.edits.list", which)),
		readEdit: (which) => ofThread(which.threadId, client.call("xworkmate.edits.diff", which)),
		async openEdit({ path, ...which }) {
			if (host.startedWith.XWORKMATE_BRIDGE_URL !== undefined) throw elsewhere();
			const command = await readLiveSetting(home, host.environment, "XWORKMATE_EDITOR");
			// The folder comes from the bridge and is therefore an allowed one; only files that the bridge lists there are opened.
			const { directory, files } = await client.call("xworkmate.edits.list", which);
			const segments = path.split("/");
			if (!files.some((file) => file.path === path)) throw notListed();
			if (segments.some((name) => ["", ".", ".."].includes(name))) throw gone();
			await openInEditor(command, directory, segments, gone);
		},
		applyEdits: (chosen) => ofThread(chosen.threadId, client.call("xworkmate.edits.apply", chosen)),
		discardEdits: (chosen) => ofThread(chosen.threadId, client.call("xworkmate.edits.discard", chosen)),
		commitEdits: (chosen) => ofThread(chosen.threadId, client.call("xworkmate.edits.commit", chosen)),
	};
}

function notListed(): AppError {
	return new AppError("FILE_NOT_FOUND", "This file is not in the list of changes.", "List the thread's changes again.");
}

/** The error for a file that isn't in the repository's folder, perhaps because the change deleted it. */
function gone(): AppError {
	return new AppError(
		"FILE_NOT_FOUND",
		"This file isn't in the repository's folder.",
		"List the thread's changes again. If the change deletes the file, you can only see its diff.",
	);
}

function elsewhere(): AppError {
	return new AppError(
		"EDITOR_FAILED",
		"The bridge was started elsewhere, so its folders may be on another computer.",
		"Open the file on the bridge's computer.",
	);
}
