import { details, h, note, show, table } from './dom.js';
import { schemas } from './server.js';

export async function open(place) {
  await show(place, async () => {
    const { clusters, types } = await schemas();
    if (types.length === 0) return note('The application has no document types.');
    return types.map((type) => h('section', { 'aria-labelledby': `type-${type.name}` },
      h('h2', { id: `type-${type.name}` }, type.name),
      h('p', { class: 'quiet' },
        `Stored in ${clusters.filter((cluster) => cluster.types.includes(type.name)).map((cluster) => cluster.name).join(', ') || 'no cluster'}. `,
        h('a', { href: `#/documents?type=${encodeURIComponent(type.name)}` }, `Documents of ${type.name}`), ', ',
        h('a', { href: `#/query?type=${encodeURIComponent(type.name)}` }, `query ${type.name}`)),
      table(`Fields of ${type.name}`, [
        ['Field', (field) => field.name],
        ['Type', (field) => field.type],
        ['Searchable', (field) => (field.searchable ? 'yes' : 'no')],
      ], type.fields),
      h('p', {}, `Fieldsets: ${type.fieldsets.join(', ') || 'none'}`),
      details(`Rank profiles of ${type.name} (${type.rankProfiles.length})`,
        table(`Rank profiles of ${type.name}`, [
          ['Profile', (profile) => profile.name],
          ['Inputs', (profile) => Object.entries(profile.inputs).map(([name, of]) => `${name}: ${of}`).join(', ') || 'none'],
        ], type.rankProfiles)),
      ));
  });
}
