import type { ToolFunctions } from "../api/methods.ts";
import type { BridgeClient } from "../bridge-client/index.ts";

export function toolFunctions(client: BridgeClient): ToolFunctions {
	return {
		listTools: () => client.call("xworkmate.tools.list", {}),
		toolSources: (query) => client.call("xworkmate.tools.sources", query),
		reloadTools: (query) => client.call("xworkmate.tools.reload", query),
		acceptTools: (version) => client.call("xworkmate.tools.accept", version),
		addTools: (example) => client.call("xworkmate.tools.add", example),
		newTools: (name) => client.call("xworkmate.tools.new", name),
		setToolRule: (rule) => client.call("xworkmate.tools.policy", rule),
	};
}
