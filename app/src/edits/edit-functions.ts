import type { EditFunctions } from "../api/edit-rows.ts";
import type { BridgeClient } from "../bridge-client/index.ts";

export function editFunctions(client: BridgeClient): EditFunctions {
	return {
		listEdits: (which) => client.call("xworkmate.edits.list", which),
		readEdit: (which) => client.call("xworkmate.edits.diff", which),
		applyEdits: (chosen) => client.call("xworkmate.edits.apply", chosen),
		discardEdits: (chosen) => client.call("xworkmate.edits.discard", chosen),
		commitEdits: (chosen) => client.call("xworkmate.edits.commit", chosen),
	};
}
