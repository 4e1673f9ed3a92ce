import { jsonValueOf, type Setting, settings } from "../../platform/src/settings/setting-list.ts";

/** docs/config.schema.json: what config.json may have, for editors. */
export function configSchema(): string {
	const rows = settings.filter(({ inFile }) => inFile).map((setting) => [setting.key, memberSchema(setting)] as const);
	const schema = {
		$schema: "https://json-schema.org/draft/2020-12/schema",
		title: "XWorkmate's config.json",
		type: "object",
		additionalProperties: false,
		properties: { $schema: { type: "string" }, ...Object.fromEntries(rows) },
	};
	return `${JSON.stringify(schema, null, "\t")}\n`;
}

function memberSchema(setting: Setting): Readonly<Record<string, unknown>> {
	const { form, meaning, default: text } = setting;
	const about = { description: meaning, ...(text !== "" && { default: jsonValueOf(setting, text) }) };
	switch (form.kind) {
		case "number":
			return { type: "integer", minimum: form.min, maximum: form.max, ...about };
		case "choice":
			return { enum: form.choices, ...about };
		case "switch":
			return { type: "boolean", ...about };
		case "list":
			return { type: "array", items: { type: "string", minLength: 1 }, ...about };
		case "text":
			return { type: "string", minLength: 1, ...about };
	}
}
