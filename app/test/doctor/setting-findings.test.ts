import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { ProviderId } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import { settingFindings } from "../../src/doctor/setting-findings.ts";
import { temporaryHome } from "../support/temporary-home.ts";

const providers = [{ providerId: ProviderId.parse("codex") }];

it("a default agent that does not exist is a problem, and one that exists, or none, is not", async () => {
	const found = (value?: string) => settingFindings([{ key: "defaultProvider", ...(value !== undefined && { value }) }], providers, true);
	expect(await found("nope")).toMatchObject([
		{
			...{ about: "default agent", state: "problem" },
			message: "The default agent is nope, but there is no agent with this id.",
			fix: expect.stringContaining("config set defaultProvider AGENT"),
		},
	]);
	expect([await found("codex"), await found()]).toEqual([[], []]);
});

it("a project folder that does not exist or is a file is named, unless the bridge is on another computer", async () => {
	using home = temporaryHome();
	const [gone, file] = [join(home.path, "gone"), join(home.path, "file")];
	writeFileSync(file, "");
	const found = (isHere: boolean) => settingFindings([{ key: "allowedRoots", value: [home.path, gone, file] }], providers, isHere);
	expect((await found(true)).map(({ state, message }) => [state, message])).toEqual([
		["note", `${gone} does not exist.`],
		["note", `${file} is not a folder.`],
	]);
	expect(await found(false)).toEqual([]);
});
