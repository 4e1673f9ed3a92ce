export {
	defineTool,
	isToolDefinition,
	type PolicyDecision,
	type Risk,
	type ToolDefinition,
	type ToolOptions,
	type ToolPolicy,
} from "./define-tool.ts";
export { OutcomeUnknown, ToolFailed } from "./errors.ts";
export { createHttp, type Http, type HttpAnswer, type HttpOptions, type HttpRequest, type SecretHeader } from "./http.ts";
export type { ToolContext } from "./tool-context.ts";
