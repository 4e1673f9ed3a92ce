export {
	defineTool,
	isToolDefinition,
	type PolicyDecision,
	type Risk,
	type ToolDefinition,
	type ToolOptions,
	type ToolPolicy,
} from "./define-tool.ts";
export { createHttp, type Http } from "./http.ts";
export { OutcomeUnknown } from "./outcome-unknown.ts";
export type { ToolContext } from "./tool-context.ts";
export { ToolFailed } from "./tool-failed.ts";
