import { gatewayOf } from "../model/doctor-view.ts";
import { InlineCode } from "../parts/inline-code.tsx";
import { fill, words } from "../words/interface.ts";
import { useApp, useProviders } from "./app-context.tsx";
import { GatewayBlock } from "./gateway-block.tsx";
import { SettingRows, useSettings } from "./setting-rows.tsx";
import { Block } from "./settings-block.tsx";

/** The OpenClaw gateway: whether it is connected, and how much goes there at once. */
export function OpenClawPart() {
	const { capabilities } = useApp().app.bridge;
	const { answer } = useSettings();
	const gateway = gatewayOf(useProviders());
	return (
		<>
			{capabilities !== undefined && gateway === undefined && (
				<p className="soft">
					<InlineCode text={words.settings.openclawNone} />
				</p>
			)}
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
