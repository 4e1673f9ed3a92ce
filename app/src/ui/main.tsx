import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import "./styles/index.css";
import { App } from "./app.tsx";
import { AppLink } from "./connection/app-link.ts";
import { keepStrayDrops } from "./prevent-file-drop.ts";
import { applyTheme } from "./state/preferences.ts";

applyTheme();
keepStrayDrops();
const link = new AppLink();
link.start();
const root = document.getElementById("root");
if (root === null) throw new Error("the page has no place for the app");
createRoot(root).render(
	<StrictMode>
		<App link={link} />
	</StrictMode>,
);
