import { cleanup, render, screen } from "@testing-library/react";
import type { ListedTool } from "@xworkmate/contracts";
import { afterEach, expect, it, vi } from "vitest";
import { inheritedRule } from "../../../src/ui/tools/integration-card.tsx";
import ToolsPage from "../../../src/ui/tools/tools-page.tsx";
import { integration, OLD, sources, tool } from "../action-stories.ts";
import { fakeApp } from "../fake-app.ts";
import { InApp } from "../in-app.tsx";

afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
});

const send = (own: Partial<ListedTool>) => tool("mail.letter.send", "write", own);

/** What a review lists as changes of one tool whose own rule was `before` and is `after`. */
async function changesOf(before: Partial<ListedTool>, after: Partial<ListedTool>, isSame = false): Promise<string> {
	const { accepted: _, ...version } = sources({ tools: [send(after)] });
	const accepted = { toolHash: isSame ? version.toolHash : OLD, files: version.files, tools: [send(before)] };
	fakeApp({ listTools: { integrations: [integration("mail")] }, toolSources: { ...version, accepted } });
	render(<ToolsPage review="github" />, { wrapper: new InApp().wrapper });
	const { textContent } = await screen.findByRole("region", { name: "Changes to what this integration can do" });
	cleanup();
	return textContent?.replace("Changes to what this integration can do", "") ?? "";
}

it("a review names a function that decides for each call, and calls no rule unchanged that isn't recorded", async () => {
	const [code, unknown] = [{ codeDecides: true }, { codeDecides: undefined }];
	const toCode = await changesOf({ policy: "ask" }, code);
	expect(toCode).toContain("Its own rule was ask; now its code decides for each call.");
	expect(toCode).toContain("Rule changed");
	expect(await changesOf({}, code)).toContain("Its own rule was the default for its risk; now its code decides for each call.");
	expect(await changesOf(code, {})).toContain("Its code decided for each call; now its own rule is the default for its risk.");
	const fromUnknown = await changesOf(unknown, code);
	expect(fromUnknown).toContain("Its own rule was not recorded; now its code decides for each call.");
	expect(fromUnknown).toContain("Rule not recorded");
	expect(await changesOf(unknown, unknown)).toContain(
		"It isn’t recorded whether its code decides for each call, so its own rule may have changed.",
	);
	expect(await changesOf(code, code)).toBe("Its tools declare nothing new.");
});

it("a review of the accepted version itself lists no change, whether or not its rules are recorded", async () => {
	const [code, unknown] = [{ codeDecides: true }, { codeDecides: undefined }];
	expect(await changesOf(unknown, unknown, true)).toBe("Its tools declare nothing new.");
	expect(await changesOf(unknown, code, true)).toBe("Its tools declare nothing new.");
});

it("the list of tools says that a tool's code decides, not that the default applies", () => {
	expect(inheritedRule(send({ codeDecides: true }))).toBe("Tool’s code decides");
	expect(inheritedRule(send({}))).toBe("Default");
});
