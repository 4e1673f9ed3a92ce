import { readFileSync } from "node:fs";
import {
	CURRENT_TASK_WORKSPACE,
	FailedCode,
	formatBytes,
	InterruptedCode,
	type JsonSchema,
	limits,
	type OpenRpcDocument,
	type OpenRpcMethod,
	RejectionReason,
} from "../../contracts/src/index.ts";
import { alternatives, cell, fieldTable, schemaText } from "./json-schema-text.ts";

/**
 * docs/protocol.md: the text of protocol.template.md with the contract's tables and limits inserted.
 * @throws RangeError if the template names an unknown placeholder, or omits one.
 */
export function protocolPage(document: OpenRpcDocument): string {
	const template = readFileSync(new URL("./protocol.template.md", import.meta.url), "utf8");
	const parts = placeholders(document);
	const unused = new Set(Object.keys(parts));
	const page = template.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
		const text = parts[name];
		if (text === undefined) throw new RangeError(`protocol.template.md names {{${name}}}, which does not exist`);
		unused.delete(name);
		return text;
	});
	if (unused.size > 0) throw new RangeError(`protocol.template.md leaves out ${[...unused].join(", ")}`);
	return page;
}

function placeholders(document: OpenRpcDocument): Readonly<Record<string, string>> {
	return {
		bodyBytes: bytes(limits.bodyBytes),
		bodyDepth: String(limits.bodyDepth),
		bodyMembers: String(limits.bodyMembers),
		bodyStringBytes: bytes(limits.bodyStringBytes),
		batchItems: String(limits.batchItems),
		failedAuthPerMinute: String(limits.failedAuthPerMinute),
		heartbeatMs: duration(limits.heartbeatMs),
		readerLagBytes: bytes(limits.readerLagBytes),
		attachmentBytes: bytes(limits.attachmentBytes),
		attachmentsBytes: bytes(limits.attachmentsBytes),
		currentTaskWorkspace: CURRENT_TASK_WORKSPACE,
		outputBytes: bytes(limits.outputBytes),
		snapshotItems: String(limits.snapshotItems),
		previewBytes: bytes(limits.previewBytes),
		listDefault: String(limits.listDefault),
		listMax: String(limits.listMax),
		cancelConfirmMs: duration(limits.cancelConfirmMs),
		cancelDeadlineMs: duration(limits.cancelDeadlineMs),
		approvalMs: duration(limits.approvalMs),
		stopMs: duration(limits.stopMs),
		pollMs: duration(limits.pollMs),
		recoveryMs: duration(limits.recoveryMs),
		unresolvedAskMs: duration(limits.unresolvedAskMs),
		unresolvedKeepMs: duration(limits.unresolvedKeepMs),
		failedCodes: codes([...FailedCode.options[0].options, "OPENCLAW_*"]),
		interruptedCodes: codes(InterruptedCode.options),
		rejectionReasons: codes(RejectionReason.options),
		updates: updateTable(document.components.schemas.Update),
		methods: document.methods.map(methodSection).join("\n\n"),
		schemas: Object.entries(document.components.schemas)
			.map(([name, schema]) => `### ${name}\n\n${schemaBody(schema)}`)
			.join("\n\n"),
	};
}

function methodSection(method: OpenRpcMethod): string {
	const facts = [
		method["x-streams"] ? "Streams." : "",
		method["x-effects"] ? "Has effects: refused as a notification." : "",
		`Params: ${paramsText(method)}. Result: ${schemaText(method.result.schema)}.`,
	];
	return `### \`${method.name}\`\n\n${method.summary} ${facts.filter((fact) => fact !== "").join(" ")}`;
}

function paramsText(method: OpenRpcMethod): string {
	return method.params.length === 0 ? "none" : schemaText(method["x-params-schema"]);
}

function schemaBody(schema: JsonSchema): string {
	if (schema.type === "object" && schema.properties !== undefined) return fieldTable(schema);
	const forms = alternatives(schema);
	return forms.length === 0 ? schemaText(schema) : forms.map((form) => `- ${schemaText(form)}`).join("\n");
}

function updateTable(update: JsonSchema | undefined): string {
	if (update === undefined) throw new RangeError("the contract has no schema named Update");
	const rows = alternatives(update).map((form) => {
		const { kind, ...fields } = form.properties ?? {};
		const required = (form.required ?? []).filter((name) => name !== "kind");
		const rest: JsonSchema = { type: "object", properties: fields, required };
		return `| ${typeof kind === "object" ? schemaText(kind) : ""} | ${cell(schemaText(rest))} |`;
	});
	return ["| `kind` | fields |", "|---|---|", ...rows].join("\n");
}

function codes(names: readonly string[]): string {
	return names.map((name) => `\`${name}\``).join(", ");
}

function bytes(count: number): string {
	return `${formatBytes(count)} (${count} bytes)`;
}

const DAY_SECONDS = 24 * 60 * 60;

function duration(milliseconds: number): string {
	const seconds = milliseconds / 1000;
	if (seconds % DAY_SECONDS === 0) return `${seconds / DAY_SECONDS} days`;
	return seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`;
}
