import { Bot, Database, Keyboard, type LucideIcon, Route, ShieldCheck, SlidersHorizontal, Stethoscope } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";
import { Icon } from "../components/icon.tsx";
import { PageBar } from "../components/page-bar.tsx";
import { hrefOf } from "../state/route.ts";
import { words } from "../words/interface.ts";
import { AgentsPart } from "./agents-part.tsx";
import { BridgeLogPart } from "./bridge-log-part.tsx";
import { DiagnosticsPart } from "./diagnostics-part.tsx";
import { GeneralPart } from "./general-part.tsx";
import { OpenClawPart } from "./openclaw-part.tsx";
import { PermissionsPart } from "./permissions-part.tsx";
import { ShortcutsPart } from "./shortcuts-part.tsx";
import { StoragePart } from "./storage-part.tsx";

type Part = keyof typeof words.settings.parts;

/** In everyday order. */
const parts: readonly { readonly part: Part; readonly icon: LucideIcon; readonly show: () => ReactNode }[] = [
	{ part: "general", icon: SlidersHorizontal, show: () => <GeneralPart /> },
	{ part: "agents", icon: Bot, show: () => <AgentsPart /> },
	{ part: "openclaw", icon: Route, show: () => <OpenClawPart /> },
	{ part: "permissions", icon: ShieldCheck, show: () => <PermissionsPart /> },
	{ part: "storage", icon: Database, show: () => <StoragePart /> },
	{ part: "shortcuts", icon: Keyboard, show: () => <ShortcutsPart /> },
	{ part: "diagnostics", icon: Stethoscope, show: () => <DiagnosticsPart /> },
];

/** Addresses of earlier versions, and of the log, which is a page below Diagnostics. */
const elsewhere: Readonly<Record<string, Part>> = {
	doctor: "diagnostics",
	look: "general",
	places: "storage",
	keys: "shortcuts",
	log: "diagnostics",
};

export default function SettingsPage({ part }: { readonly part: string }) {
	const name = Object.hasOwn(elsewhere, part) ? elsewhere[part] : part;
	const here = parts.find((one) => one.part === name) ?? parts[0];
	const current = useRef<HTMLAnchorElement>(null);
	// On a phone the names are one line that is longer than the screen.
	// biome-ignore lint/correctness/useExhaustiveDependencies: another part is current
	useEffect(() => {
		// Some browsers give a promise, which is nothing to clean up with.
		void current.current?.scrollIntoView({ block: "nearest", inline: "center" });
	}, [here]);
	return (
		<main className="main" tabIndex={-1}>
			<PageBar title={words.settings.title} />
			<div className="set">
				<nav aria-label={words.settings.title}>
					{parts.map((one) => (
						<a
							key={one.part}
							href={hrefOf({ page: "settings", part: one.part })}
							aria-current={one.part === here?.part ? "page" : undefined}
							ref={one.part === here?.part ? current : undefined}
						>
							<Icon of={one.icon} />
							{words.settings.parts[one.part]}
						</a>
					))}
				</nav>
				{/* A part begins at its top. */}
				<div className="scroll" key={part}>
					<div className="page">
						{part === "log" ? (
							<>
								<h2 className="h-page">{words.settings.bridgeLog}</h2>
								<BridgeLogPart />
							</>
						) : (
							<>
								{here !== undefined && here.part !== "diagnostics" && <h2 className="h-page">{words.settings.parts[here.part]}</h2>}
								{here?.show()}
							</>
						)}
					</div>
				</div>
			</div>
		</main>
	);
}
