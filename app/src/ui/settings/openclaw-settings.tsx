import { fill, words } from "../../strings/interface.ts";
import { useApp } from "../state/app-context.tsx";
import { GatewayBlock } from "./gateway-block.tsx";
import { SettingRows, useSettings } from "./setting-rows.tsx";
import { Block } from "./settings-block.tsx";

/** The OpenClaw gateway: whether it is connected, as the bridge reports it, and its limit of concurrent runs. */
export function OpenClawSettings() {
	const { capabilities } = useApp().app.bridge;
	const { answer } = useSettings();
	return (
		<>
			<GatewayBlock title={words.doctor.gateway} />
			{capabilities !== undefined && (
				<Block title={words.settings.limits}>
					<SettingRows
						settings={[
							{
								name: words.settings.activeRuns,
								value: fill(words.settings.openclawSay, {
									active: capabilities.limits.openclaw.maxActive,
									queued: capabilities.limits.openclaw.maxQueued,
								}),
								variable: "XWORKMATE_OPENCLAW_MAX_ACTIVE",
							},
						]}
						set={answer?.set ?? []}
					/>
				</Block>
			)}
		</>
	);
}
