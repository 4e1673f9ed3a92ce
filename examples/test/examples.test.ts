import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ToolDefinition } from "@xworkmate/tool";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import * as calendar from "../tools/calendar/tools.ts";
import * as github from "../tools/github/tools.ts";
import * as posthog from "../tools/posthog/tools.ts";

const root = fileURLToPath(new URL("../tools/", import.meta.url));
const integrations = { calendar, github, posthog };

describe.each(Object.entries(integrations))("%s", (name, module) => {
	const folder = join(root, name);
	const tools: readonly Pick<ToolDefinition<z.ZodType, z.ZodType>, "id" | "risk" | "input" | "output" | "policy">[] = Object.values(module);

	it("[T1-68] [T1-82] is one folder with a client and tools, which import nothing of the core", () => {
		const files = readdirSync(folder);
		expect(files).toEqual(expect.arrayContaining(["README.md", "client.ts", "tools.ts"]));
		const imported = files
			.filter((file) => file.endsWith(".ts"))
			.flatMap((file) => [...readFileSync(join(folder, file), "utf8").matchAll(/ from "([^"]+)"/g)].map(([, module = ""]) => module));
		const outside = imported.filter((module) => !/^\.\/[\w-]+\.ts$/.test(module));
		expect(outside.filter((module) => !["zod", "@xworkmate/tool"].includes(module) && !module.startsWith("node:"))).toEqual([]);
	});

	it("[T1-43] [T1-69] has an id, a risk, schemas with a JSON form, a policy and a handler for each tool", () => {
		for (const tool of tools) {
			expect(tool.id).toMatch(new RegExp(`^${name}\\.[a-z]\\w*\\.[a-z]\\w*$`));
			expect(tool.policy).toEqual({ default: tool.risk === "read" ? "allow" : "ask" });
			expect(z.toJSONSchema(tool.input, { io: "input" })).toMatchObject({ type: "object", additionalProperties: false });
			expect(z.toJSONSchema(tool.output)).toMatchObject({ type: "object" });
		}
		expect(new Set(tools.map(({ id }) => id)).size).toBe(tools.length);
		expect(new Set(tools.map(({ risk }) => risk))).toEqual(new Set(["read", "write", "destructive"]));
	});
});

it("[T1-58] a tool is written with defineTool, and reaches its service through a client of its own", () => {
	for (const name of Object.keys(integrations)) {
		const text = readFileSync(join(root, name, "tools.ts"), "utf8");
		expect(text).toMatch(/import \{[^}]*\bdefineTool\b[^}]*\} from "@xworkmate\/tool";/);
		expect(text).toMatch(/new \w+Client\(ctx/);
	}
});
