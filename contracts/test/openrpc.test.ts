import { describe, expect, it } from "vitest";
import { ErrorCode, methods, openRpcDocument } from "../src/index.ts";

const document = openRpcDocument();

describe("the OpenRPC document", () => {
	it("describes every method and every error", () => {
		expect(document.methods.map(({ name }) => name)).toEqual(Object.keys(methods));
		expect(Object.keys(document.components.errors)).toEqual(ErrorCode.options);
	});

	it("refers only to schemas it has", () => {
		const named = new Set(Object.keys(document.components.schemas).map((name) => `#/components/schemas/${name}`));
		const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference = ""]) => reference);
		expect(references.length).toBeGreaterThan(100);
		expect(references.filter((reference) => !named.has(reference))).toEqual([]);
	});

	it("says which params are required, and of several forms what all of them require", () => {
		const required = (name: string) =>
			document.methods.find((method) => method.name === name)?.params.flatMap((param) => (param.required ? [param.name] : []));
		expect(required("session.start")).toEqual(["sessionId", "threadId", "turnId", "prompt", "routing"]);
		expect(required("xworkmate.tasks.get")).toEqual([]);
		expect(required("xworkmate.tasks.subscribe")).toEqual(["runId"]);
		expect(required("acp.capabilities")).toEqual([]);
	});

	it("closes params and leaves results and events open", () => {
		const { SubmitParams, Snapshot, SessionUpdate } = document.components.schemas;
		expect(SubmitParams).toHaveProperty("additionalProperties", false);
		expect(Snapshot).not.toHaveProperty("additionalProperties");
		expect(SessionUpdate).not.toHaveProperty("additionalProperties");
	});

	it("is the same text each time", () => {
		expect(JSON.stringify(openRpcDocument())).toBe(JSON.stringify(document));
	});
});
