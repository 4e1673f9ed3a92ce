import { expect, it } from "vitest";
import { withOwnHome } from "../../../src/cli/config/found-settings.ts";
import { settingLine } from "../../../src/cli/config/setting-lines.ts";
import { readSettingList } from "../../../src/settings/read-setting-list.ts";
import { temporaryHome } from "../../support/temporary-home.ts";

it("while an app runs, the home's source is that of the command's environment, and the other settings are the app's", async () => {
	using home = temporaryHome();
	const known = await readSettingList({ home: home.path, env: { XWORKMATE_HOME: home.path, XWORKMATE_LOG_LEVEL: "debug" } });
	const here = await readSettingList({ home: home.path, env: {} });
	const lines = withOwnHome(known, here).settings.map(settingLine);
	expect(lines.find((line) => line.startsWith("home ="))).toBe(`home = ${JSON.stringify(home.path)}  (default)`);
	expect(lines.find((line) => line.startsWith("logLevel ="))).toContain("XWORKMATE_LOG_LEVEL");
});
