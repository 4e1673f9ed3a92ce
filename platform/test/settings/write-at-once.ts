import { changeConfig } from "../../src/settings/change-config.ts";
import { readConfigFile } from "../../src/settings/config-file.ts";

const [home = "", key = ""] = process.argv.slice(2);
for (let value = 1; value <= 20; value++) {
	await changeConfig(home, key, value);
	process.send?.(value);
	// No other process writes this key, so it has another value only if somebody lost this change.
	const { values } = await readConfigFile(home);
	if ([...values.values()].every((found) => found.value !== value)) process.exitCode = 1;
}
process.disconnect?.();
