import type { ProviderCapability } from "@xworkmate/contracts";
import { CircleDashed } from "lucide-react";
import { visibleName } from "../model/visible-text.ts";
import { Icon } from "../parts/icon.tsx";
import { ProviderMark } from "../parts/provider-mark.tsx";
import { StateChip } from "../parts/state-chip.tsx";
import { words } from "../words/interface.ts";
import { unavailableWord } from "../words/states.ts";
import { CopyLine } from "./copy-line.tsx";

/** Agents and the gateway: ready, or why not and what helps. */
export function AgentList({ providers }: { readonly providers: readonly ProviderCapability[] }) {
	return (
		<ul className="list">
			{providers.map(({ providerId, label, target, available, unavailable, models }) => (
				<li className="item prov" key={providerId} data-provider={providerId}>
					<ProviderMark name={label} />
					<div className="grow">
						<div className="nm">{visibleName(label)}</div>
						<div className="sub">
							{available ? (
								<StateChip state="succeeded" word={words.settings.ready} look="word" />
							) : (
								<span className="st st-off">
									<Icon of={CircleDashed} />
									{visibleName(unavailableWord(unavailable?.code))}
								</span>
							)}
							<span className="wrap">{visibleName(available ? (models ?? []).slice(0, 5).join(", ") : (unavailable?.message ?? ""))}</span>
						</div>
					</div>
					<div className="end muted small">{target === "gateway" ? words.thread.gateway : ""}</div>
					{unavailable !== undefined && (
						<div className="full">
							<CopyLine text={unavailable.fix} />
						</div>
					)}
				</li>
			))}
		</ul>
	);
}
