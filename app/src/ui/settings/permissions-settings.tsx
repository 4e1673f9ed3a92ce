import { words } from "../../strings/interface.ts";
import { useApp } from "../state/app-context.tsx";
import { formatLimit } from "../text/format.ts";
import { SettingRows, useSettings } from "./setting-rows.tsx";
import { Block } from "./settings-block.tsx";

/** Which folders agents may use, and how long a request waits for an answer. */
export function PermissionsSettings() {
	const { capabilities } = useApp().app.bridge;
	const { answer, problem } = useSettings();
	if (answer === undefined) return <p className="muted">{problem ?? words.page.loading}</p>;
	return (
		<>
			<Block title={words.settings.roots}>
				<p className="soft say">{words.settings.rootsSay}</p>
				<SettingRows
					settings={[{ name: words.settings.rootsName, value: answer.allowedRoots, code: true, variable: "XWORKMATE_ALLOWED_ROOTS" }]}
					set={answer.set}
				/>
			</Block>
			{capabilities !== undefined && (
				<Block title={words.settings.approvals}>
					<p className="soft say">{words.settings.approvalSay}</p>
					<SettingRows
						settings={[
							{ name: words.settings.approval, value: formatLimit(capabilities.limits.approvalMs), variable: "XWORKMATE_APPROVAL_MS" },
						]}
						set={answer.set}
					/>
				</Block>
			)}
		</>
	);
}
