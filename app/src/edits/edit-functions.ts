import type { EditFunctions } from "../api/edit-rows.ts";
import type { BridgeClient } from "../bridge-client/index.ts";
import type { AppHost } from "../doctor/app-host.ts";
import { AppError } from "../errors/app-error.ts";
import { openInEditor } from "../files/open-in-editor.ts";
import { missing } from "../files/open-plain-file.ts";
import { readLiveSetting } from "../settings/live-setting.ts";

export function editFunctions(client: BridgeClient, home: string, host: AppHost): EditFunctions {
	return {
		listEdits: (which) => client.call("xworkmate.edits.list", which),
		readEdit: (which) => client.call("xworkmate.edits.diff", which),
		async openEdit({ threadId, path }) {
			if (host.startedWith.XWORKMATE_BRIDGE_URL !== undefined) throw elsewhere();
			const command = await readLiveSetting(home, host.environment, "XWORKMATE_EDITOR");
			// The bridge says which folder it is, so that it is an allowed one; only what it lists there is opened.
			const { directory, files } = await client.call("xworkmate.edits.list", { threadId });
			const segments = path.split("/");
			if (!files.some((file) => file.path === path) || segments.some((name) => ["", ".", ".."].includes(name))) throw missing();
			await openInEditor(command, directory, segments);
		},
		applyEdits: (chosen) => client.call("xworkmate.edits.apply", chosen),
		discardEdits: (chosen) => client.call("xworkmate.edits.discard", chosen),
		commitEdits: (chosen) => client.call("xworkmate.edits.commit", chosen),
	};
}

function elsewhere(): AppError {
	return new AppError("EDITOR_FAILED", "The bridge and its folders are on another computer.", "Open the file on that computer.");
}
