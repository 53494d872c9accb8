import { useData, withBase } from 'vitepress';
import DefaultTheme from 'vitepress/theme';
import { h, onMounted, ref } from 'vue';
import './style.css';

/** The list of versions is beside their folders, so that the pages of an old version know the new ones. */
const Versions = {
  setup() {
    const { version } = useData().theme.value;
    const versions = ref([version]);
    onMounted(async () => {
      const response = await fetch(withBase('/../versions.json')).catch(() => undefined);
      if (response?.ok) versions.value = await response.json();
    });
    const onChange = ({ target }) => location.assign(withBase(`/../${target.value}/`));
    const option = (each) => h('option', { key: each, value: each, selected: each === version }, each);
    return () =>
      h('select', { class: 'versions', 'aria-label': 'Version', onChange }, versions.value.map(option));
  },
};

export default {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, null, { 'nav-bar-content-after': () => h(Versions) }),
};
