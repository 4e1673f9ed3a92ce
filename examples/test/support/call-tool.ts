import { createHttp, type Http, type ToolContext, type ToolDefinition, ToolFailed } from "@xworkmate/tool";
import type { z } from "zod";

export interface CallOptions {
	readonly secrets?: Readonly<Record<string, string>>;
	/** Origins of the real services, and where a test's service is instead. */
	readonly services?: Readonly<Record<string, string>>;
	readonly dataFolder?: string;
	readonly idempotencyKey?: string;
	readonly attempt?: number;
	/** What happens elsewhere before a request with this method is sent. */
	readonly before?: { readonly method: string; readonly act: () => Promise<unknown> };
}

let calls = 0;

/** Calls a tool as its host does: the input as its schema reads it, and the output checked. */
export async function callTool<Input extends z.ZodType, Output extends z.ZodType>(
	tool: ToolDefinition<Input, Output>,
	input: z.input<Input>,
	options: CallOptions = {},
): Promise<z.output<Output>> {
	return tool.output.parse(await tool.handler(tool.input.parse(input), contextFor(tool.secrets ?? [], options)));
}

function contextFor(named: readonly string[], options: CallOptions): ToolContext {
	const { secrets = {}, dataFolder = "/nonexistent", attempt = 1 } = options;
	const toolCallId = `call-${++calls}`;
	const secret = (name: string) => {
		const value = named.includes(name) ? secrets[name] : undefined;
		if (value === undefined) throw new ToolFailed(`The secret ${name} is not set.`);
		return value;
	};
	const { signal } = new AbortController();
	return {
		signal,
		runId: "run-1",
		toolCallId,
		idempotencyKey: options.idempotencyKey ?? toolCallId,
		attempt,
		dataFolder,
		secret,
		http: elsewhere(createHttp({ secret, signal }), options),
	};
}

/** The same client, for services that are at another origin, and that others use too. */
function elsewhere(http: Http, options: CallOptions): Http {
	const { services = {}, before } = options;
	const there = (url: string) => Object.entries(services).reduce((text, [from, to]) => text.replace(from, to), url);
	return {
		request: async (request) => {
			if (before !== undefined && before.method === request.method) await before.act();
			return http.request({ ...request, url: there(request.url) });
		},
		at: (baseUrl, headers) => elsewhere(http.at(there(baseUrl), headers), options),
	};
}
