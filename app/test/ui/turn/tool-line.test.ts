import { expect, it } from "vitest";
import { toolLine } from "../../../src/ui/turn/tool-line.ts";

it("a typed tool is called, whatever its risk: a destructive one need not delete anything", () => {
	const typed = (state: "pending" | "running" | "completed", origin: "executed" | "reported" = "executed") =>
		toolLine({ toolKind: "delete", state, origin }, "live").word;
	expect([typed("pending"), typed("running"), typed("completed")]).toEqual(["Wants to call", "Calling", "Called"]);
	expect(typed("completed", "reported")).toBe("Deleted");
});
