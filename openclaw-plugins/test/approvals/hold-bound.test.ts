import { Environment } from "@xworkmate/platform/settings";
import { expect, it } from "vitest";
import { HOLD_BOUND_MS } from "../../src/core/plugin-core.ts";

it("holds a tool call longer than any bridge keeps its request open", () => {
	expect(Environment.shape.XWORKMATE_APPROVAL_MS.safeParse(String(HOLD_BOUND_MS)).success).toBe(false);
	expect(Environment.shape.XWORKMATE_APPROVAL_MS.safeParse(String(24 * 60 * 60_000)).success).toBe(true);
});
