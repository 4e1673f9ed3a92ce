export { defineTool, type PolicyDecision, type Risk, type ToolContext, type ToolDefinition } from "./define-tool.ts";
export { OutcomeUnknown, ToolFailed } from "./errors.ts";
export { createHttp, type Http, type HttpAnswer, type HttpOptions, type HttpRequest, type SecretHeader } from "./http.ts";
